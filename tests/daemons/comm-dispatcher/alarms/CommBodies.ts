/** Bodies for the comm endpoints: a valid one for each, and what is wrong with others. */

export const phone = "+4915112345678"

/** A valid body for each endpoint. */
export const good: Readonly<Record<string, object>> = {
  call: { target: phone, text: "t" },
  messenger: { chat_id: "1", text: "t" },
  "messenger/voice": { chat_id: "1", text: "t" },
  notify: { channels: [{ channel: "messenger", target: "1" }], text: "t" }
}

/** Endpoint, error, replaced fields of the valid body, and the fields that the answer must name. */
export const bad: ReadonlyArray<readonly [keyof typeof good, string, object, ReadonlyArray<string>]> = [
  ["call", "nothing", { target: undefined, text: undefined }, ["target", "text"]],
  [
    "call",
    "wrong types",
    { target: 4915112345678, text: {}, pause_ms: "4000", repeat: 1.5, tts_provider: 1, tts_voice: [], gateway: null },
    ["gateway", "pause_ms", "repeat", "target", "text", "tts_provider", "tts_voice"]
  ],
  ["call", "a national number", { target: "0151 12345678" }, ["target"]],
  ["call", "a SIP address", { target: "sip:alice@example.org" }, ["target"]],
  ["call", "a dial string behind the number", { target: `${phone},sofia/gateway/x/900123` }, ["target"]],
  ["call", "a command behind the number", { target: `${phone}\n\napi shutdown` }, ["target"]],
  ["call", "an endless number", { target: "+49".padEnd(500_000, "1") }, ["target"]],
  ["call", "a blank text", { text: " \n" }, ["text"]],
  ["call", "a text beyond the bound", { text: "x".repeat(65_537) }, ["text"]],
  ["call", "a text too long to be spoken", { text: "x".repeat(2_501) }, ["text"]],
  [
    "notify",
    "a text too long to be spoken, for a fallback",
    {
      text: "x".repeat(2_501),
      channels: [{ channel: "messenger", target: "1", fallback: [{ channel: "call", target: phone }] }]
    },
    ["text"]
  ],
  ["call", "an unknown language", { language: "fr" }, ["language"]],
  ["call", "a pause below 0", { pause_ms: -1 }, ["pause_ms"]],
  ["call", "a pause beyond the bound", { pause_ms: 60_001 }, ["pause_ms"]],
  ["call", "no repetition", { repeat: 0 }, ["repeat"]],
  ["call", "too many repetitions", { repeat: 11 }, ["repeat"]],
  ["call", "an unknown provider", { tts_provider: "LOCAL_GPU" }, ["tts_provider"]],
  ["call", "a dial string for a gateway", { gateway: "trunk/900123,sofia" }, ["gateway"]],
  ["call", "channel variables for a gateway", { gateway: "{api_on_answer=shutdown}trunk" }, ["gateway"]],
  ["call", "an enterprise originate for a gateway", { gateway: "a:_:b" }, ["gateway"]],
  ["call", "a path for a voice", { tts_voice: "../../etc/passwd" }, ["tts_voice"]],
  ["call", "a way up in a voice", { tts_voice: "models/../../etc/passwd" }, ["tts_voice"]],
  ["call", "an option for a voice", { tts_voice: "-w/tmp/x" }, ["tts_voice"]],
  ["call", "an endless voice", { tts_voice: "v".repeat(101) }, ["tts_voice"]],
  ["messenger", "nothing", { chat_id: undefined, text: undefined }, ["chat_id", "text"]],
  ["messenger", "a chat that is a number of JSON", { chat_id: 1 }, ["chat_id"]],
  ["messenger", "no chat id", { chat_id: "../getMe" }, ["chat_id"]],
  ["messenger", "an unknown severity", { severity: "PANIC" }, ["severity"]],
  ["messenger", "a severity in lower case", { severity: "alert" }, ["severity"]],
  ["messenger/voice", "nothing", { chat_id: undefined, text: undefined }, ["chat_id", "text"]],
  ["messenger/voice", "a caption beyond the bound", { caption: "x".repeat(1_025) }, ["caption"]],
  ["messenger/voice", "wrong types", { caption: 1, tts_provider: null }, ["caption", "tts_provider"]],
  ["notify", "nothing", { channels: undefined, text: undefined }, ["channels", "text"]],
  ["notify", "no target", { channels: [] }, ["channels"]],
  ["notify", "one target without a list", { channels: { channel: "messenger", target: "1" } }, ["channels"]],
  [
    "notify",
    "an unknown channel",
    {
      channels: [
        { channel: "messenger", target: "1" },
        { channel: "pigeon", target: "1" }
      ]
    },
    ["channels[1].channel"]
  ],
  [
    "notify",
    "a channel from the prototype",
    {
      channels: [
        { channel: "__proto__", target: "1" },
        { channel: "constructor", target: "1" }
      ]
    },
    ["channels[0].channel", "channels[1].channel"]
  ],
  [
    "notify",
    "targets of other channels",
    {
      channels: [
        { channel: "messenger", target: "1" },
        { channel: "call", target: "@ops_team" },
        { channel: "webhook", target: phone },
        { channel: "sms", target: "" }
      ]
    },
    ["channels[1].target", "channels[2].target", "channels[3].target"]
  ],
  [
    "notify",
    "a webhook with a password",
    { channels: [{ channel: "webhook", target: "https://u:p@example.org/" }] },
    ["channels[0].target"]
  ],
  ["notify", "a file", { channels: [{ channel: "webhook", target: "file:///etc/passwd" }] }, ["channels[0].target"]],
  [
    "notify",
    "a wrong fallback",
    {
      channels: [
        {
          channel: "call",
          target: phone,
          fallback: [{ channel: "messenger", target: "1" }, { channel: "call", target: "1" }, { target: "1" }]
        }
      ]
    },
    ["channels[0].fallback[1].target", "channels[0].fallback[2].channel"]
  ],
  [
    "notify",
    "options out of bounds",
    { channels: [{ channel: "call", target: phone, repeat: 11, pause_ms: -1, gateway: "a b" }] },
    ["channels[0].gateway", "channels[0].pause_ms", "channels[0].repeat"]
  ],
  [
    "notify",
    "21 targets",
    { channels: Array.from({ length: 21 }, (_, i) => ({ channel: "messenger", target: String(i + 1) })) },
    ["channels"]
  ],
  [
    "notify",
    "6 fallbacks",
    {
      channels: [
        {
          channel: "call",
          target: phone,
          fallback: Array.from({ length: 6 }, (_, i) => ({ channel: "messenger", target: String(i + 1) }))
        }
      ]
    },
    ["channels[0].fallback"]
  ]
]
