import { Context } from "effect"
import type { MailboxSettings } from "./MailboxSettings.ts"

/** The mailboxes this installation watches. */
export class Mailboxes extends Context.Service<Mailboxes, ReadonlyArray<MailboxSettings>>()(
  "signalbox/alarm-bridge/Mailboxes"
) {}
