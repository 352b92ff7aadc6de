import { readFileSync } from "node:fs"
import { rootCertificates } from "node:tls"
import type { MailWatcherConfig } from "../Config.ts"

/** The certificates that a mail server's may be signed by: the public ones and the operator's own; undefined: just the public ones. */
export const trusted = ({ mailCa }: Pick<MailWatcherConfig, "mailCa">): Array<string> | undefined =>
  mailCa === undefined ? undefined : [...rootCertificates, readFileSync(mailCa, "utf8")]
