/** XML scenarios for sipp. `-key` sets `[domain]`. Pure. */

const lines = (...all: ReadonlyArray<string>): string => all.join("\n")
/**
 * Retransmission interval: 5 s instead of 0.5 s. Unit: milliseconds. Reason: loopback loses nothing. On a loaded
 * machine the answer to a retransmission has a new nonce and arrives where the scenario expects a different message.
 */
const again = ` retrans="5000"`
const send = (text: string, attributes = ""): string => `<send${attributes}><![CDATA[\n${text}\n\n]]></send>`
const scenario = (name: string, ...steps: ReadonlyArray<string>): string =>
  lines(
    `<?xml version="1.0" encoding="ISO-8859-1" ?>`,
    `<!DOCTYPE scenario SYSTEM "sipp.dtd">`,
    `<scenario name="${name}">`,
    ...steps,
    "</scenario>"
  )

/** A SIP request. sipp replaces `[branch]` with a new value per request. */
const request = (method: string, uri: string, cseq: string, to: string, ...more: ReadonlyArray<string>): string =>
  lines(
    `${method} ${uri} SIP/2.0`,
    "Via: SIP/2.0/[transport] [local_ip]:[local_port];rport;branch=[branch]",
    "Max-Forwards: 70",
    "From: <sip:[field0]@[domain]>;tag=[pid]-[call_number]",
    `To: ${to}`,
    "Call-ID: [call_id]",
    `CSeq: ${cseq} ${method}`,
    "User-Agent: sipp",
    ...more
  )

const contact = "Contact: <sip:[field0]@[local_ip]:[local_port];transport=[transport]>"
const none = "Content-Length: 0"
/** Session description with PCMA audio, like a telephone. */
const audio = lines(
  "Content-Type: application/sdp",
  "Content-Length: [len]",
  "",
  "v=0",
  "o=sipp 1 1 IN IP4 [local_ip]",
  "s=-",
  "c=IN IP4 [local_ip]",
  "t=0 0",
  "m=audio [media_port] RTP/AVP 8",
  "a=rtpmap:8 PCMA/8000"
)

const registering = (more: string) =>
  request(
    "REGISTER",
    "sip:[domain]",
    "[cseq]",
    "<sip:[field0]@[domain]>",
    contact,
    "Expires: 300",
    ...(more === "" ? [] : [more]),
    none
  )

/**
 * Registers one user of the account table (`number;[authentication …]`) per call. `answer`: status of the last answer.
 */
export const register = (answer: number): string =>
  scenario(
    "register",
    send(registering(""), again),
    `<recv response="401" auth="true"></recv>`,
    send(registering("[field1]"), again),
    `<recv response="${answer}"></recv>`
  )

const inviting = (cseq: number, more: string) =>
  request(
    "INVITE",
    "sip:[callee]@[domain]",
    String(cseq),
    "<sip:[callee]@[domain]>",
    contact,
    ...(more === "" ? [] : [more]),
    audio
  )

/** Calls `[callee]`, waits for the answer and hangs up. */
export const call: string = scenario(
  "call",
  send(inviting(1, ""), again),
  `<recv response="407" auth="true"></recv>`,
  send(request("ACK", "sip:[callee]@[domain]", "1", "<sip:[callee]@[domain]>[peer_tag_param]", none)),
  send(inviting(2, "[field1]"), again),
  `<recv response="100" optional="true"></recv>`,
  `<recv response="180" optional="true"></recv>`,
  `<recv response="183" optional="true"></recv>`,
  `<recv response="200" rrs="true"></recv>`,
  send(request("ACK", "[next_url]", "2", "<sip:[callee]@[domain]>[peer_tag_param]", "[routes]", none)),
  `<pause milliseconds="100"/>`,
  send(request("BYE", "[next_url]", "3", "<sip:[callee]@[domain]>[peer_tag_param]", "[routes]", none), again),
  `<recv response="200"></recv>`
)

/** Calls `[callee]` and expects a refusal. */
export const refusedCall = (answer: number): string =>
  scenario(
    "refused call",
    send(inviting(1, ""), again),
    `<recv response="407" auth="true"></recv>`,
    send(request("ACK", "sip:[callee]@[domain]", "1", "<sip:[callee]@[domain]>[peer_tag_param]", none)),
    send(inviting(2, "[field1]"), again),
    `<recv response="100" optional="true"></recv>`,
    `<recv response="${answer}"></recv>`,
    send(request("ACK", "sip:[callee]@[domain]", "2", "<sip:[callee]@[domain]>[peer_tag_param]", none))
  )

const answer = (start: string, ...more: ReadonlyArray<string>): string =>
  lines(
    start,
    "[last_Via:]",
    "[last_From:]",
    "[last_To:];tag=[pid]-[call_number]",
    "[last_Call-ID:]",
    "[last_CSeq:]",
    "[last_Record-Route:]",
    ...more
  )

/** Answers a call and waits until the other side hangs up. */
export const answers: string = scenario(
  "answers",
  `<recv request="INVITE" crlf="true"></recv>`,
  send(answer("SIP/2.0 180 Ringing", "Contact: <sip:[local_ip]:[local_port];transport=[transport]>", none)),
  send(answer("SIP/2.0 200 OK", "Contact: <sip:[local_ip]:[local_port];transport=[transport]>", audio), again),
  `<recv request="ACK"></recv>`,
  `<recv request="BYE"></recv>`,
  send(lines("SIP/2.0 200 OK", "[last_Via:]", "[last_From:]", "[last_To:]", "[last_Call-ID:]", "[last_CSeq:]", none))
)
