/** Exports of the feature mailboxes for other features of alarm-bridge. */
export { listAll } from "./MailboxCursor.ts"
export { mailboxesSettings } from "./MailboxesSettings.ts"
export { actorName } from "./MailboxWatcher.ts"
