#!/usr/bin/env bash
# macOS: the application tree as Cutaway.app in a .dmg. Run from a clone after `python3 packaging/start.py setup`.
# Not run by the project's own checks, which have no macOS. Signing happens when SIGN_IDENTITY is set, notarising
# when NOTARY_PROFILE is.
set -euo pipefail
cd "$(dirname "$0")/../.."
python=.venv/bin/python
"$python" packaging/build.py bundle
app=dist/Cutaway.app
rm -rf "$app"
mkdir -p "$app/Contents/MacOS" "$app/Contents/Resources"
cp -R dist/cutaway/. "$app/Contents/MacOS/"
"$python" -m cutaway.default_model "$app/Contents/MacOS/models"
version=$("$python" -c 'import cutaway; print(cutaway.__version__)')
sed "s/@VERSION@/$version/g" packaging/macos/Info.plist.in > "$app/Contents/Info.plist"
iconset=dist/cutaway.iconset
rm -rf "$iconset"
mkdir -p "$iconset"
for size in 16 32 128 256 512; do
  "$python" -c "import sys; sys.path.insert(0, 'packaging/linux'); import tree, pathlib; tree.draw_icon(pathlib.Path('$iconset/icon_${size}x${size}.png'), $size)"
done
iconutil -c icns "$iconset" -o "$app/Contents/Resources/cutaway.icns"
if [ -n "${SIGN_IDENTITY:-}" ]; then
  find "$app" -type f \( -name '*.dylib' -o -name '*.so' \) -exec \
    codesign --force --timestamp --options runtime --sign "$SIGN_IDENTITY" {} +
  codesign --force --timestamp --options runtime --entitlements packaging/macos/entitlements.plist \
    --sign "$SIGN_IDENTITY" "$app"
fi
QT_QPA_PLATFORM=offscreen "$app/Contents/MacOS/cutaway" selftest --json
dmg="dist/Cutaway-$version-$(uname -m).dmg"
rm -f "$dmg"
hdiutil create -volname Cutaway -srcfolder "$app" -format UDZO "$dmg"
if [ -n "${NOTARY_PROFILE:-}" ]; then
  xcrun notarytool submit "$dmg" --keychain-profile "$NOTARY_PROFILE" --wait
  xcrun stapler staple "$dmg"
fi
