#!/bin/sh
# Installs a minimal Debian of a different release into a folder, with a few packages. Starts nothing in it and changes
# nothing outside. Runs are serialised per machine. The folder either is complete or does not exist.
# Usage: newerDebian.sh FOLDER RELEASE MIRROR PROGRAM PACKAGES    (PROGRAM: path of a required program below the folder; PACKAGES: a,b)
set -eu

if [ "$1" != locked ]; then
  mkdir -p "$(dirname "$1")"
  # All processes of this run inherit the lock. After a killed run, the next one waits until the last process has ended.
  # Unit of the timeout: seconds. Reason: one run takes half a minute, ten times that on a slow mirror.
  exec flock --timeout 900 "$1.lock" "$0" locked "$@"
fi
shift
folder=$1 release=$2 mirror=$3 program=$4 packages=$5

# Another run may have created the folder while this one waited.
[ ! -x "$folder/$program" ] || exit 0

# Removes the remains of a killed run.
rm -rf --one-file-system "$folder".new
trap 'rm -f "$folder.apt"' EXIT
# Copies the proxy settings of this machine's apt, because the folder's apt uses the same mirror.
apt-config dump | grep -E '^Acquire::(https?::Proxy|Check-)' > "$folder.apt" || :
# mmdebstrap prevents starts of services (policy-rc.d) and mounts in its own namespace.
mmdebstrap --quiet --mode=root --format=directory --variant=apt --aptopt="$folder.apt" --aptopt='APT::Install-Recommends "false"' \
  --include="$packages" "$release" "$folder.new" "$mirror" 2>&1
[ -x "$folder.new/$program" ] || { echo "$program is not in it"; exit 1; }
sync -f "$folder.new"
rm -rf --one-file-system "$folder"
mv -T "$folder.new" "$folder"
