#!/bin/sh
# Makes a minimal Debian of another release in a folder, with a few packages; starts nothing in it and changes nothing
# outside. One run of a machine at a time; the folder is there complete or not at all.
# Usage: newerDebian.sh FOLDER RELEASE MIRROR PROGRAM PACKAGES    (PROGRAM: what must be in it, from its root; PACKAGES: a,b)
set -eu

if [ "$1" != locked ]; then
  mkdir -p "$(dirname "$1")"
  # Everything below keeps the lock open: whoever comes after a run that was killed waits until its last process is gone.
  # Unit: seconds. Reason: half a minute each, ten times that on a slow mirror.
  exec flock --timeout 900 "$1.lock" "$0" locked "$@"
fi
shift
folder=$1 release=$2 mirror=$3 program=$4 packages=$5

# Another run may have made it while this one waited.
[ ! -x "$folder/$program" ] || exit 0

# What a killed run left behind.
rm -rf --one-file-system "$folder".new
trap 'rm -f "$folder.apt"' EXIT
# What this machine's apt needs to reach its mirror, the folder's apt needs, too.
apt-config dump | grep -E '^Acquire::(https?::Proxy|Check-)' > "$folder.apt" || :
# It denies starts of services (policy-rc.d) and mounts in a namespace of its own.
mmdebstrap --quiet --mode=root --format=directory --variant=apt --aptopt="$folder.apt" --aptopt='APT::Install-Recommends "false"' \
  --include="$packages" "$release" "$folder.new" "$mirror" 2>&1
[ -x "$folder.new/$program" ] || { echo "$program is not in it"; exit 1; }
sync -f "$folder.new"
rm -rf --one-file-system "$folder"
mv -T "$folder.new" "$folder"
