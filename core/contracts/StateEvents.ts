/**
 * Events that carry the whole state of one thing. The newest of each thing is kept forever, so a daemon that starts
 * late, or was stopped for weeks, reads the state of everything from the outbox and then follows. Older ones are
 * deleted as all other events (`prune` in core/events/Prune.ts).
 *
 * Why not a request to the owner for a snapshot: the owner may be away, every owner would need a second way to tell its
 * state, and a deletion that a reader missed would have to be found by comparison. Here the last event of a deleted
 * thing tells it.
 */

export interface StateEvents {
  /** Prefix of the event types. */
  readonly types: string
  /** Members of the data that identify the thing. */
  readonly key: ReadonlyArray<string>
}

/**
 * A test compares the list with the SQL function `core.state_key`, which a migration has created. A further entry
 * needs a migration that replaces the function and builds its index again.
 */
export const stateEvents: ReadonlyArray<StateEvents> = [
  // By address, because a mailbox that is deleted and created again keeps its address and counts its version on.
  { types: "mail.account.", key: ["address"] },
  { types: "mail.domain.", key: ["domain_id"] },
  { types: "customer.", key: ["customer_id"] },
  { types: "domain.", key: ["domain_id"] },
  { types: "identity.user.", key: ["user_id"] },
  { types: "identity.tenant.", key: ["tenant_id"] },
  { types: "identity.messenger.", key: ["user_id"] },
  { types: "security.ban.", key: ["address"] },
  { types: "security.exemption.", key: ["address"] },
  // A window may be announced two years ahead.
  { types: "status.maintenance.", key: ["maintenance_id"] },
  { types: "sip.extension.", key: ["extension_id"] },
  // A device that is revoked while a daemon is stopped must lose what that daemon issued, however late it starts.
  { types: "provisioning.device.", key: ["device_id"] },
  { types: "name.proven", key: ["kind", "name"] },
  { types: "dns.mail_records.checked", key: ["domain"] }
]

/**
 * How long the last event of a deleted thing is kept. Unit: days. Reason: it may contain names and addresses; a reader
 * that was stopped for longer is set up anew.
 */
export const tombstoneDays = 400

/** SQL expression over `type` and `data`: identifies the thing; null for all other events, and without the members. */
export const stateKey = (events: ReadonlyArray<StateEvents>): string =>
  `case ${events
    .map(
      ({ key, types }) =>
        `when type like '${types.replaceAll("_", "\\_")}%' then '${types} ' || ` +
        key.map((member) => `(data->>'${member}')`).join(" || ' ' || ")
    )
    .join(" ")} end`
