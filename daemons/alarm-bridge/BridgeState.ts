/** What the actors of this process know, for the status page and `/health`. Written by one actor each, read by anybody. */
import { Context, Layer } from "effect"

/** `waiting`: another process holds the port, this one takes over when it is gone. */
export type SmtpState = "off" | "starting" | "listening" | "waiting"

export interface MailboxState {
  detection: "idle" | "polling" | undefined
  /** Why it is not being watched right now; undefined while it is. */
  error: string | undefined
  /** When all that lay there was last taken; before that, when this process got the mailbox. Epoch milliseconds. */
  readAt: number
}

export class BridgeState extends Context.Service<
  BridgeState,
  {
    readonly mailboxes: Map<string, MailboxState>
    readonly smtp: { state: SmtpState; host: string; port: number | undefined }
  }
>()("signalbox/alarm-bridge/BridgeState") {}

export const layer = (smtp: { readonly on: boolean; readonly host: string }) =>
  Layer.sync(BridgeState, () =>
    BridgeState.of({
      mailboxes: new Map(),
      smtp: { state: smtp.on ? "starting" : "off", host: smtp.host, port: undefined }
    })
  )
