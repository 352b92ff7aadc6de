// A Debian of its own in a folder: a newer one for peers that this machine's release lacks, and a bare one to install
// packages in. This file has only tables and pure decisions: `newerDebian.sh` creates the folder, and `install.ts`
// calls it.

/** Directory that keeps such folders between runs. Outside the repository, because each has about 200 MB. */
export const cache = "/var/cache/signalbox-tests"

/** A folder with its own Debian installation. */
export interface NewerDebian {
  /** Root directory of that Debian. */
  readonly folder: string
  readonly release: "bookworm" | "forky"
  readonly packages: ReadonlyArray<string>
}

/** Packages on the host that create such a folder: the tool, and the keys of newer releases. */
export const makers: ReadonlyArray<string> = ["debian-archive-keyring", "mmdebstrap"]

/** Command whose output `chooseMirror` reads. */
export const listMirrors = [
  "apt-get",
  "indextargets",
  "--format",
  "$(REPO_URI) $(RELEASE) $(COMPONENT) $(ORIGIN)",
  "Created-By: Packages"
] as const

/**
 * URI of the Debian mirror that this machine's apt uses, so that no other mirror must be reachable. Undefined when its
 * sources name none. The list also contains other, security and backports archives; archives with origin "Debian" come
 * first. `codename`: code name of this machine's release.
 */
export const chooseMirror = (listed: string, codename: string): string | undefined => {
  const targets = listed
    .split("\n")
    .map((line) => line.trim().split(" "))
    .filter(
      ([, release, component]) =>
        component === "main" && [codename, "stable", "oldstable", "testing", "sid", "unstable"].includes(release ?? "")
    )
  return (targets.find(([, , , origin]) => origin === "Debian") ??
    targets.find(([, , , origin]) => origin === "$(ORIGIN)"))?.[0]
}
