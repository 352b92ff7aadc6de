#!/bin/sh
# Boots a real systemd as PID 1 of new namespaces (mount, pid, cgroup, uts, ipc, net). It has its own units and
# private copies of every directory that systemd or a service writes, so the host stays unchanged.
# Usage: BootedSystemd.sh REPOSITORY CGROUP    (REPOSITORY is mounted at /opt/signalbox, read-only)
#        BootedSystemd.sh inside REPOSITORY    (second part, runs inside the namespaces)
set -eu

if [ "$1" != inside ]; then
  # The caller's cgroup becomes the root of the new cgroup namespace, so that systemd manages only below it.
  echo 0 > "$2/cgroup.procs"
  exec unshare --fork --pid --mount --cgroup --uts --ipc --net --kill-child=KILL --propagation private -- "$0" inside "$1"
fi

# The following commands mount over directories and delete files. They must run only as PID 1 of the new namespaces.
[ $$ -eq 1 ] || { echo "not within namespaces" >&2; exit 1; }
repository=$2
mount -t proc -o nosuid,nodev,noexec proc /proc

# Saves the repository and /etc first, because the repository may lie below a directory that is mounted over.
mount -t tmpfs -o mode=755 tmpfs /run
mkdir -p /run/hold/repository /run/hold/etc
mount --bind "$repository" /run/hold/repository
cp -a /etc/. /run/hold/etc/

for directory in /etc /opt /var/lib /var/log /var/cache /var/tmp /tmp /dev/shm; do
  mkdir -p "$directory"
  case $directory in
    /tmp | /var/tmp | /dev/shm) mode=1777 ;;
    *) mode=755 ;;
  esac
  mount -t tmpfs -o "mode=$mode" tmpfs "$directory"
done
cp -a /run/hold/etc/. /etc/
rm -rf /run/hold/etc
: > /etc/machine-id
mkdir /opt/signalbox
mount --move /run/hold/repository /opt/signalbox
mount -o remount,bind,ro /opt/signalbox

# Mounts only cgroup version 2, rooted at our own cgroup. Version 1 controllers of a hybrid host stay outside.
mount -t sysfs -o ro,nosuid,nodev,noexec sysfs /sys
mount -t cgroup2 -o nosuid,nodev,noexec cgroup2 /sys/fs/cgroup

# Own units, because the host's sysinit.target would start tmpfiles, udev and other enabled units.
units=/etc/systemd/system
rm -rf /etc/systemd
mkdir -p "$units" /etc/systemd/journald.conf.d
for target in sysinit basic sockets shutdown multi-user network network-online; do
  printf '[Unit]\nDescription=%s of the test\nDefaultDependencies=no\n' "$target" > "$units/$target.target"
done
printf '[Unit]\nDescription=The booted test system\nRequires=basic.target systemd-journald.service\nAfter=basic.target systemd-journald.service\nAllowIsolate=yes\n' > "$units/booted.target"
printf '[Unit]\nDefaultDependencies=no\n[Socket]\nListenStream=/run/systemd/journal/stdout\nListenDatagram=/run/systemd/journal/socket\nSocketMode=0666\nPassCredentials=yes\nReceiveBuffer=8M\nService=systemd-journald.service\n' > "$units/systemd-journald.socket"
printf '[Unit]\nDefaultDependencies=no\nRequires=systemd-journald.socket\nAfter=systemd-journald.socket\n[Service]\nType=notify\nExecStart=/lib/systemd/systemd-journald\nSockets=systemd-journald.socket\nStandardOutput=null\nRestart=always\nOOMScoreAdjust=-250\n' > "$units/systemd-journald.service"
printf '[Journal]\nStorage=volatile\nReadKMsg=no\nAudit=no\nForwardToConsole=no\nRateLimitIntervalSec=0\n' > /etc/systemd/journald.conf.d/test.conf

# `container` tells systemd not to touch the console, the clock, kernel settings and the API file systems.
exec env -i container=signalbox-test PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin \
  SYSTEMD_UNIT_PATH=$units SYSTEMD_GENERATOR_PATH=/nonexistent SYSTEMD_ENVIRONMENT_GENERATOR_PATH=/nonexistent \
  /lib/systemd/systemd --system --unit=booted.target --log-target=journal --show-status=false
