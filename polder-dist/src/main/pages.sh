#!/bin/sh
# JAVA CLASSPATH SHARE: writes what goes into the package's share directory.
set -eu
polder() {
  "$java" -XX:TieredStopAtLevel=1 -Dstdout.encoding=UTF-8 -cp "$classpath" io.polder.cli.Main "$@"
}
java=$1 classpath=$2 share=$3
rm -rf "$share"
mkdir -p "$share/bash-completion/completions" "$share/zsh/site-functions" "$share/fish/vendor_completions.d"
polder completion bash >"$share/bash-completion/completions/polder"
polder completion zsh >"$share/zsh/site-functions/_polder"
polder completion fish >"$share/fish/vendor_completions.d/polder.fish"
polder man-pages "$share/man/man1"
