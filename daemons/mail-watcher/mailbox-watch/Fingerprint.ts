import { createHash } from "node:crypto"
import type { Message } from "#protocols/imap-watch/Arrivals.ts"

/** What stays the same of a message wherever it is moved or copied within its mailbox: 128 bits in hex. */
export const fingerprint = ({ fromAddr, internalDate, messageId, size, subject }: Message): string =>
  createHash("sha256")
    .update(JSON.stringify([messageId, messageId === "" ? [fromAddr, subject] : [], internalDate?.getTime(), size]))
    .digest("hex")
    .slice(0, 32)
