#!/bin/sh
# Boots the systemd of the Debian in a folder as PID 1 of new namespaces (mount, pid, cgroup, uts, ipc, net). The folder
# becomes the root directory and keeps what is written, so the host stays unchanged.
# Usage: BootedDebian.sh ROOT CGROUP
#        BootedDebian.sh inside ROOT    (second part, runs inside the namespaces)
set -eu

if [ "$1" != inside ]; then
  # The caller's cgroup becomes the root of the new cgroup namespace, so that systemd manages only below it.
  echo 0 > "$2/cgroup.procs"
  exec unshare --fork --pid --mount --cgroup --uts --ipc --net --kill-child=KILL --propagation private -- \
    "$0" inside "$1"
fi

# The following commands mount and change the root directory. They must run only as PID 1 of the new namespaces.
[ $$ -eq 1 ] || { echo "not within namespaces" >&2; exit 1; }
root=$2
mount --bind "$root" "$root"
cd "$root"
mount -t proc -o nosuid,nodev,noexec proc proc
mount -t sysfs -o ro,nosuid,nodev,noexec sysfs sys
# Only cgroup version 2, rooted at our own cgroup.
mount -t cgroup2 -o nosuid,nodev,noexec cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
# Devices of our own folder: systemd makes links there, such as /dev/log.
mkdir -p run/dev
mount -t tmpfs -o mode=755 tmpfs run/dev
for name in null zero full random urandom tty; do
  touch "run/dev/$name"
  mount --bind "/dev/$name" "run/dev/$name"
done
mkdir run/dev/pts run/dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts run/dev/pts
mount -t tmpfs -o mode=1777 tmpfs run/dev/shm
ln -s pts/ptmx run/dev/ptmx
ln -s /proc/self/fd run/dev/fd
mount --move run/dev dev
rmdir run/dev
mkdir run/outside
pivot_root . run/outside
cd /
umount -l /run/outside
rmdir /run/outside

# `container` tells systemd not to touch the console, the clock and kernel settings.
exec env -i container=signalbox-test PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  /lib/systemd/systemd --system --unit=multi-user.target --log-target=journal --show-status=false
