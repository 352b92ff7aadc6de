/** Rows of document 1, §4.4 and §4.5: communication and notifications. */
import type { Row } from "./Row.ts"

/** A fresh installation knows no chat for the test message. */
const noChat = { status: 409, values: { code: "not_configured" } } as const

const communication: ReadonlyArray<Row> = [
  {
    section: "1 §4.4, §2.4",
    endpoint: "POST /api/v1/comm/call",
    in: ["target", "text"],
    body: () => ({ target: "+4930123456", text: "Disk full" }),
    status: 202
  },
  {
    section: "1 §4.4, §2.4",
    endpoint: "POST /api/v1/comm/call",
    trust: "a caller may only name a gateway that SIGNALBOX_SIP_GATEWAY or SIGNALBOX_SIP_GATEWAYS lists",
    in: ["target", "text", "tts_provider", "tts_voice", "gateway", "pause_ms", "repeat"],
    body: () => ({
      target: "+4930123456",
      text: "Disk full",
      tts_provider: "local_gpu",
      tts_voice: "de",
      gateway: "provider",
      pause_ms: 4000,
      repeat: 2
    }),
    status: 422,
    also: ({ json }) => (json.errors[0].field === "payload.gateway" ? undefined : "refuses another field")
  },
  {
    section: "1 §4.4, §2.4",
    endpoint: "POST /api/v1/comm/messenger",
    in: ["chat_id", "text"],
    body: () => ({ chat_id: "123456", text: "Disk full" }),
    status: 202
  },
  {
    section: "1 §4.4, §2.4",
    endpoint: "POST /api/v1/comm/messenger",
    in: ["chat_id", "text", "severity"],
    body: () => ({ chat_id: "123456", text: "Disk full", severity: "WARNING" }),
    status: 202
  },
  {
    section: "1 §4.4, §2.4",
    endpoint: "POST /api/v1/comm/messenger/voice",
    in: ["chat_id", "text", "caption", "tts_provider", "tts_voice"],
    body: () => ({ chat_id: "123456", text: "Disk full", caption: "", tts_provider: "local_fast", tts_voice: "de" }),
    status: 202
  },
  {
    section: "1 §4.4, §2.4",
    endpoint: "POST /api/v1/comm/notify",
    in: ["channels", "text", "severity", "tts_provider", "tts_voice"],
    body: () => ({
      channels: [
        { channel: "call", target: "+4930123456" },
        { channel: "messenger", target: "123456" },
        { channel: "messenger_voice", target: "123456" },
        { channel: "webhook", target: "https://hooks.example.net/alarm" },
        { channel: "sms", target: "+4930123456" }
      ],
      text: "Disk full",
      severity: "CRITICAL",
      tts_provider: "local_gpu",
      tts_voice: "de"
    }),
    status: 202
  },
  {
    section: "1 §4.4, §2.4",
    endpoint: "GET /api/v1/comm/health",
    out: [
      "status",
      "components.cache.status",
      "components.cache.latency_ms",
      "components.tts.status",
      "components.tts.provider",
      "components.telephony.status",
      "components.messenger.status"
    ]
  },
  { section: "1 §4.4", endpoint: "POST /api/v1/comm/heartbeat", as: "user", ...noChat },
  // Bearer user auth only (§5).
  { section: "1 §5", endpoint: "POST /api/v1/comm/heartbeat", status: 403 },
  {
    section: "1 §4.4, §2.4",
    endpoint: "POST /api/v1/workflows/trigger",
    in: ["event_type", "payload"],
    body: () => ({
      event_type: "email.alarm.received",
      payload: {
        email_subject: "CRITICAL:MESSENGER+123456;RETRY:3x5m",
        email_body: "Disk full on db1",
        email_from: "ops@example.org"
      }
    }),
    status: 202,
    // Nobody is an allowed sender yet.
    also: ({ json }) => (json.state === "rejected" ? undefined : `is ${json.state}`)
  }
]

const notifications: ReadonlyArray<Row> = [
  {
    section: "1 §4.5",
    endpoint: "GET /api/v1/notifications",
    as: "user",
    in: ["limit", "unread_only", "category"],
    query: () => ({ limit: 10, unread_only: true, category: "system" }),
    out: ["items"],
    also: ({ json }, seen) => {
      const [first] = json.items
      if (first === undefined) return "lists nothing"
      seen["uuid"] = first.uuid
      const fields =
        "id,uuid,user_id,tenant_id,type,channel,category,severity,icon,title,body,data,entity_type,entity_id," +
        "action_url,read_at,created_at"
      const missing = fields.split(",").filter((name) => !(name in first))
      return missing.length === 0 ? undefined : `lacks ${missing}`
    }
  },
  { section: "1 §4.5", endpoint: "GET /api/v1/notifications/summary", as: "user", out: ["total", "unread"] },
  { section: "1 §4.5", endpoint: "PUT /api/v1/notifications/{uuid}/read", as: "user" },
  { section: "1 §4.5", endpoint: "POST /api/v1/notifications/read-all", as: "user" },
  { section: "1 §4.5", endpoint: "DELETE /api/v1/notifications/{uuid}", as: "user", status: 204 }
]

export const documentOneCommunication: ReadonlyArray<Row> = [...communication, ...notifications]
