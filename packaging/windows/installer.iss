; Inno Setup: per user, no administrator needed, `.gguf` offered and not taken. Conversations stay on uninstall.
#define Version "0.1.0"
[Setup]
AppId={{6C0B3C1E-52C3-4E5B-9B0A-8C7C6C75D0A1}
AppName=Cutaway
AppVersion={#Version}
AppPublisher=The Cutaway developers
DefaultDirName={autopf}\Cutaway
PrivilegesRequired=lowest
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0.17763
OutputDir=..\..\dist
OutputBaseFilename=cutaway-{#Version}-setup
Compression=lzma2
SolidCompression=yes
LicenseFile=..\..\LICENSE
UninstallDisplayIcon={app}\cutaway.exe
ChangesAssociations=yes
[Files]
Source: "..\..\dist\cutaway\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion
[Icons]
Name: "{autoprograms}\Cutaway"; Filename: "{app}\cutaway.exe"; AppUserModelID: "io.github.cutaway.Cutaway"
[Registry]
Root: HKCU; Subkey: "Software\Classes\.gguf\OpenWithProgids"; ValueType: string; ValueName: "Cutaway.gguf"; Flags: uninsdeletevalue
Root: HKCU; Subkey: "Software\Classes\Cutaway.gguf"; ValueType: string; ValueData: "GGUF model"; Flags: uninsdeletekey
Root: HKCU; Subkey: "Software\Classes\Cutaway.gguf\shell\open\command"; ValueType: string; ValueData: """{app}\cutaway.exe"" ""%1"""
Root: HKCU; Subkey: "Software\Microsoft\Windows\CurrentVersion\App Paths\cutaway.exe"; ValueType: string; ValueData: "{app}\cutaway.exe"; Flags: uninsdeletekey
[Messages]
ConfirmUninstall=Remove Cutaway? Your conversations and models stay in %LOCALAPPDATA%\cutaway.
