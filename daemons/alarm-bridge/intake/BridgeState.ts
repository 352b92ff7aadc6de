/** State of this process's actors, for the status endpoint and `/health`. Each part has one actor that writes it. */
import { Context, Layer } from "effect"

/** `waiting`: another process holds the port; this one takes over when that process ends. */
export type SmtpState = "off" | "starting" | "listening" | "waiting"

export interface MailboxState {
  detection: "idle" | "polling" | undefined
  /** Why the mailbox is not being watched; undefined while it is. */
  error: string | undefined
  /**
   * Time when the mailbox was last read completely; at first, when this process got the mailbox. Epoch milliseconds.
   */
  readAt: number
}

export class BridgeState extends Context.Service<
  BridgeState,
  {
    readonly mailboxes: Map<string, MailboxState>
    readonly smtp: { state: SmtpState; host: string; port: number | undefined }
  }
>()("signalbox/alarm-bridge/BridgeState") {}

/** One instance for all features of the daemon. */
export const layer = Layer.sync(BridgeState, () =>
  BridgeState.of({ mailboxes: new Map(), smtp: { state: "off", host: "", port: undefined } })
)
