// A newer Debian in a folder, for peers that this machine's release does not have. Only what stands in a table and is
// decided from text; `newerDebian.sh` makes the folder, `install.ts` calls it.

/** Where such folders are kept between runs. Outside the repository: some 200 MB each. */
export const cache = "/var/cache/signalbox-tests"

/** A folder with a Debian of its own. */
export interface NewerDebian {
  /** Its root. */
  readonly folder: string
  readonly release: "forky"
  readonly packages: ReadonlyArray<string>
}

/** On the machine itself: what makes such a folder, and the keys of newer releases. */
export const makers: ReadonlyArray<string> = ["debian-archive-keyring", "mmdebstrap"]

/** Prints what `chooseMirror` reads. */
export const listMirrors = [
  "apt-get",
  "indextargets",
  "--format",
  "$(REPO_URI) $(RELEASE) $(COMPONENT) $(ORIGIN)",
  "Created-By: Packages"
] as const

/**
 * The mirror this machine's own apt uses, so that no other has to be reachable; undefined when its sources name none.
 * Other archives stand in the same list, and those of security and backports: what calls itself Debian's comes first.
 * `codename`: of this machine's release.
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
