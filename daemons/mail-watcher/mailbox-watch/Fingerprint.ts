import { createHash } from "node:crypto"
import type { Message } from "#protocols/imap-watch/Arrivals.ts"

/** Hash of a message that survives moving and copying within the mailbox: 128 bits in hex. */
export const fingerprint = ({ fromAddr, internalDate, messageId, size, subject }: Message): string =>
  createHash("sha256")
    .update(JSON.stringify([messageId, messageId === "" ? [fromAddr, subject] : [], internalDate?.getTime(), size]))
    .digest("hex")
    .slice(0, 32)
