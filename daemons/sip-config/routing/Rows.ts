/** Types of telephony rows in memory, named like their tables and columns. */

/** Source: interface document 2 §2.3. */
export type DestinationType = "extension" | "ring_group" | "ivr_menu" | "voicemail" | "external"

interface Row {
  readonly id: number
  readonly tenant_id: number
  /** ID of the transaction that wrote the row; it changes with every update. */
  readonly xid: string
}

export interface SipDomain extends Row {
  /** In lower case. */
  readonly domain: string
}

export interface Extension extends Row {
  readonly domain_id: number
  readonly extension: string
  readonly name: string
  /** Sealed envelope. */
  readonly password: string
  readonly enabled: boolean
}

export interface Trunk extends Row {
  readonly name: string
  readonly host: string
  readonly port: number
  readonly transport: "udp" | "tcp" | "tls"
  readonly username: string | null
  /** Sealed envelope. */
  readonly password: string | null
  readonly register: boolean
  readonly realm: string | null
  readonly caller_id: string | null
  /** CIDR ranges that the tenant requested. */
  readonly networks: ReadonlyArray<string>
  /** CIDR ranges that the provider confirmed. */
  readonly confirmed: ReadonlyArray<string>
  readonly enabled: boolean
}

export interface IvrMenu extends Row {
  readonly domain_id: number
  readonly name: string
  readonly greeting: string
  /** Longest wait for a key. Unit: seconds. */
  readonly timeout: number
  readonly max_failures: number
  /** JSON as stored; IvrEntries parses it. */
  readonly entries: unknown
}

export interface VoicemailBox extends Row {
  readonly domain_id: number
  readonly box: string
  readonly name: string
  /** Sealed envelope. */
  readonly pin: string
  readonly email: string | null
  readonly enabled: boolean
}

export interface ExternalNumber extends Row {
  readonly number: string
}

export interface RingGroup extends Row {
  readonly domain_id: number
  readonly number: string | null
  readonly name: string
  readonly strategy: "simultaneous" | "sequence" | "random"
  /** Longest ringing, per extension in a sequence. Unit: seconds. */
  readonly ring_timeout: number
  readonly extensions: ReadonlyArray<string>
}

export interface Did extends Row {
  /** In E.164 format, with the plus. */
  readonly number: string
  readonly trunk_id: number | null
  readonly destination_type: DestinationType
  readonly destination_id: number
}

export interface Line extends Row {
  readonly extension_id: number
  readonly did_id: number | null
  readonly trunk_id: number
  readonly priority: number
}

export interface CallFilter extends Row {
  readonly name: string
  readonly type: "blacklist" | "whitelist"
  readonly pattern: string
  readonly enabled: boolean
}

/** Row types by table name. */
export interface Rows {
  readonly sip_domain: SipDomain
  readonly extension: Extension
  readonly trunk: Trunk
  readonly ivr_menu: IvrMenu
  readonly voicemail_box: VoicemailBox
  readonly external_number: ExternalNumber
  readonly ring_group: RingGroup
  readonly did: Did
  readonly line: Line
  readonly call_filter: CallFilter
}
export type Kind = keyof Rows
