/** Types of the mail endpoints' answers, and the signal that tells pages to load changed mail again. */
import { signal } from "@preact/signals"
import type { Answer } from "../../lib/Endpoints.ts"

export type Account = Answer<"GET /api/v1/mail/webmail/accounts">["items"][number]
export type Folder = Answer<"GET /api/v1/mail/webmail/folders">["items"][number]
export type Row = Answer<"GET /api/v1/mail/webmail/messages/:folder">["items"][number]
export type Message = Answer<"GET /api/v1/mail/webmail/messages/:folder/:uid">
export type Attachment = Message["attachments"][number]
export type Address = Message["from"][number]
export type Upload = Answer<"GET /api/v1/mail/webmail/attachments">["items"][number]

/** Increases with each change in this tab, so that lists and counts load again. */
export const changes = signal(0)

/** Events after which lists and counts load again. */
export const mailEvents = ["mail.new_message", "mail.folder_update"]
