/** Why restic failed, read from its words. Pure. Source: messages of restic 0.14. */
import { Schema } from "effect"
import type { ProgramFailed } from "./Programs.ts"

/** A refusal of the repository. */
export class ResticError extends Schema.TaggedError<ResticError>()("ResticError", {
  reason: Schema.Literals([
    "NotConfigured",
    "NoRepository",
    "Unreachable",
    "WrongPassword",
    "Locked",
    "Damaged",
    "Failed"
  ]),
  message: Schema.String
}) {}

/** Why restic failed, by its words. */
const patterns: ReadonlyArray<readonly [RegExp, ResticError["reason"], string]> = [
  // Before the next but one: restic also asks whether there is a repository when a host refuses to tell.
  [
    new RegExp(
      [
        "unable to start the sftp session|Host key verification failed|Permission denied \\(publickey",
        "Access Denied|request signature we calculated|Access Key Id you provided|dial tcp|no such host|i/o timeout",
        "Connection (refused|timed out|reset|closed)"
      ].join("|"),
      "i"
    ),
    "Unreachable",
    "the host of the repository does not answer or refuses the connection"
  ],
  [/wrong password or no key found/i, "WrongPassword", "the password does not open the repository"],
  [
    /Is there a repository at the following location|unable to open config file|does not exist/i,
    "NoRepository",
    "there is no repository; `signalbox backup init` creates it"
  ],
  // The last of these is in the last of restic's four lines.
  [
    /already locked|unable to create lock|can be used to remove stale locks/i,
    "Locked",
    "another program holds the lock of the repository"
  ]
]

const damage = new RegExp(
  [
    "ciphertext verification failed|hash mismatch|does not match|invalid data|unexpected EOF|not found in index",
    "pack .*(corrupt|contains|not)|Fatal: repository contains errors|load(ing)? (tree|blob|index).*(fail|error)",
    "blob not found|wrong data|zstd|unexpected (pack|HTTP)"
  ].join("|"),
  "i"
)

/** restic's failure in our words. Pure. */
export const reasonOf = (error: ProgramFailed): ResticError => {
  const found = patterns.find(([words]) => words.test(error.words))
  if (found !== undefined) return new ResticError({ reason: found[1], message: `${found[2]} (${error.words})` })
  return damage.test(error.words)
    ? new ResticError({ reason: "Damaged", message: `the repository is damaged: ${error.words}` })
    : new ResticError({ reason: "Failed", message: error.message })
}
