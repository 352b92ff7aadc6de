/** Where a run of tests keeps its temporary files. */
import { statfsSync } from "node:fs"
import { freemem, tmpdir } from "node:os"

/**
 * Free memory that temporary files need. Unit: bytes. Reason: a run keeps about 1 GB of databases, and the machines and
 * containers of some tests up to 3 GB.
 */
const neededMemory = 8 * 1024 ** 3

/**
 * Parent of temporary folders: in memory when the machine has room. Reason: a run creates and deletes hundreds of
 * thousands of small files, as copies of databases, and ext4 searches long for a free inode while it does not yet give
 * out the deleted ones again. On disk, creating a database takes about eight times as long.
 */
export const temporaryParent = (): string => {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm")
    return Math.min(bavail * bsize, freemem()) >= neededMemory ? "/dev/shm" : tmpdir()
  } catch {
    return tmpdir()
  }
}
