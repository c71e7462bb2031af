# Windows: the application tree, a zip of it, an installer. Run from a clone after `python packaging/start.py setup`.
# Not run by the project's own checks, which have no Windows. SIGN_CMD, when set, is called with each file to sign.
$ErrorActionPreference = "Stop"
$root = Resolve-Path (Join-Path $PSScriptRoot "..\..")
Set-Location $root
$python = ".venv\Scripts\python.exe"
& $python packaging\build.py bundle
if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }
New-Item -ItemType Directory -Force dist\cutaway\models | Out-Null
& $python -m cutaway.default_model dist\cutaway\models
if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }

function Invoke-Sign([string[]] $files) {
    if (-not $env:SIGN_CMD) { Write-Host "SIGN_CMD is not set: nothing is signed."; return }
    foreach ($file in $files) {
        & cmd /c "$env:SIGN_CMD `"$file`""
        if ($LASTEXITCODE -ne 0) { throw "signing failed: $file" }
    }
}

Invoke-Sign (Get-ChildItem dist\cutaway -Recurse -Include *.exe, *.dll, *.pyd | ForEach-Object FullName)
$env:QT_QPA_PLATFORM = "offscreen"
& dist\cutaway\cutaway.exe selftest --json
if ($LASTEXITCODE -ne 0) { throw "the selftest of the built tree failed" }
Compress-Archive -Path dist\cutaway -DestinationPath dist\cutaway-windows-x64.zip -Force
& iscc /Qp packaging\windows\installer.iss
if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }
Invoke-Sign (Get-ChildItem dist\*.exe | ForEach-Object FullName)
