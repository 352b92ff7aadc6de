/** Events that the documents name, with the documented fields of their data. */
export interface DocumentedEvent {
  readonly section: string
  readonly type: string
  /** A path such as `message.uid` names a nested field. */
  readonly data: ReadonlyArray<string>
}

export const documentedEvents: ReadonlyArray<DocumentedEvent> = [
  {
    section: "1 §6",
    type: "mail.new_message",
    data: ["folder", "message.uid", "message.from_addr", "message.subject"]
  },
  { section: "1 §6", type: "mail.folder_update", data: ["folder", "unseen", "exists"] },
  { section: "1 §6", type: "notification.created", data: ["uuid", "title", "body", "category", "severity"] },
  { section: "1 §6", type: "call.incoming", data: ["caller_id", "did_number", "customer"] },
  { section: "1 §6", type: "support.session.created", data: ["session_code", "channel"] },
  { section: "1 §6", type: "file.uploaded", data: ["path", "name"] },
  { section: "2 §6", type: "provisioning.completed", data: ["user_id", "features", "client_ip"] },
  // The document shows the message of the socket with these fields; the event has them too.
  { section: "3 §6", type: "wakeword.detected", data: ["score", "word"] }
]
