#!/bin/sh
# Boots a real systemd as PID 1 of namespaces of its own (mount, pid, cgroup, uts, ipc, net), with a unit set of
# its own and private copies of every directory that it or a service writes: nothing of the host's is touched.
# Usage: BootedSystemd.sh REPOSITORY CGROUP    (REPOSITORY appears inside as /opt/signalbox, read-only)
#        BootedSystemd.sh inside REPOSITORY    (the second half, already within the namespaces)
set -eu

if [ "$1" != inside ]; then
  # The caller's cgroup becomes the root of the new cgroup namespace, so that systemd manages only below it.
  echo 0 > "$2/cgroup.procs"
  exec unshare --fork --pid --mount --cgroup --uts --ipc --net --kill-child=KILL --propagation private -- "$0" inside "$1"
fi

# What follows covers and deletes: only ever as PID 1 of the new namespaces.
[ $$ -eq 1 ] || { echo "not within namespaces" >&2; exit 1; }
repository=$2
mount -t proc -o nosuid,nodev,noexec proc /proc

# Held aside before anything is covered: the repository may itself live below a directory that is replaced.
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

# Only the unified hierarchy, rooted at our own cgroup; a hybrid host's version 1 controllers stay outside.
mount -t sysfs -o ro,nosuid,nodev,noexec sysfs /sys
mount -t cgroup2 -o nosuid,nodev,noexec cgroup2 /sys/fs/cgroup

# A unit set of its own: the host's sysinit.target would run tmpfiles, udev and whatever else is enabled there.
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

# `container` tells systemd to leave the console, the clock, kernel settings and the API file systems alone.
exec env -i container=signalbox-test PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin \
  SYSTEMD_UNIT_PATH=$units SYSTEMD_GENERATOR_PATH=/nonexistent SYSTEMD_ENVIRONMENT_GENERATOR_PATH=/nonexistent \
  /lib/systemd/systemd --system --unit=booted.target --log-target=journal --show-status=false
