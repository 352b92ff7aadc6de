/**
 * Rows of a customer that daemons create by themselves: from mail servers, calls, sign-ins by a second factor, and
 * changes of zones. Written by SQL, because their causes are outside this test.
 */
import { Effect } from "effect"
import { randomBytes, randomUUID } from "node:crypto"
import type { NotificationContent } from "#core/contracts/Notifications.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { peopleOf } from "../../daemons/identity/walk/People.ts"
import { provisioningRows } from "./ProvisioningRows.ts"
import type { Party } from "./Site.ts"

interface Ids {
  readonly user: number
  readonly customer: number
  readonly domain: number
  readonly mailbox: number
}

export const systemRows = Effect.fnUntraced(function* (suite: TestSuite, party: Party, ids: Ids) {
  const { sql } = suite
  const { secret, tenant } = party
  const { user } = ids
  const json = (value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`
  const notification = (title: string): NotificationContent => ({
    type: "report.ready",
    category: "system",
    severity: "info",
    title,
    body: title
  })

  // sip-config: a call.
  yield* sql`insert into sip_config.call
      (id, tenant_id, direction, caller_id, did_number, extension, customer_id, state, started_at, ended_at, cause)
    values (${randomUUID()}, ${tenant}, 'inbound', ${secret()}, '+49305550', ${secret()}, ${ids.customer}, 'ended',
      now(), now(), 'NO_ANSWER')`
  yield* sql`insert into core.gateway_caller_id (gateway, tenant_id, caller_id)
    values (${secret()}, ${tenant}, '+49305551') on conflict do nothing`

  // bank-fetcher: an event of a payment provider.
  yield* sql`insert into bank_fetcher.webhook_event (tenant_id, provider, event_id, type, signed, state, body)
    values (${tenant}, 'card', ${secret()}, ${secret()}, true, 'unknown', ${secret()})`

  // identity: factors, links and accounts elsewhere.
  const people = peopleOf(suite)
  const account = yield* people.account({ tenant, mark: secret() }, "user")
  yield* people.beginFactors(account, tenant)
  yield* people.link(account)
  yield* sql`insert into identity.federated_account (issuer, subject, tenant_id, account_id, email, linked_by)
    values (${`https://${secret()}.test`}, ${secret()}, ${tenant}, ${user}, ${`${secret()}@far.test`}, 'owner')`

  // comm-dispatcher: settings of a person, and what waits for it.
  yield* sql`insert into comm_dispatcher.notification_preference (user_id, tenant_id, event_type, channel, enabled)
    values (${user}, ${tenant}, ${secret()}, 'email', false)`
  yield* sql`insert into comm_dispatcher.member_chat (user_id, tenant_id, chat_id, version)
    values (${user}, ${tenant}, ${secret()}, 1) on conflict (user_id) do update set chat_id = excluded.chat_id`
  yield* sql`insert into comm_dispatcher.notification_setting (user_id, tenant_id, zone, quiet, digest, digest_at)
    values (${user}, ${tenant}, 'Europe/Berlin', null, 'off', '08:00') on conflict do nothing`
  yield* sql`insert into comm_dispatcher.notification_held (user_id, tenant_id, channel, content, due_at)
    values (${user}, ${tenant}, 'email', ${json(notification(secret()))}, now() + interval '1 day')`
  yield* sql`insert into comm_dispatcher.push_subscription (id, user_id, tenant_id, service, endpoint_hash, secret)
    values (${randomUUID()}, ${user}, ${tenant}, ${secret()}, ${secret()}, 'sealed')`
  yield* sql`insert into comm_dispatcher.notification_key (tenant_id, key) values (${tenant}, ${secret()})`
  yield* sql`insert into comm_dispatcher.workflow_digest (tenant_id, workflow, key, told_at)
    values (${tenant}, 'bans-added', ${secret()}, now())`

  // bank-fetcher: keys that a bank sent.
  yield* sql`insert into bank_fetcher.bank_key (account_id, tenant_id, purpose, public_key, fingerprint)
    select id, tenant_id, 'X', public_key, ${secret()} from bank_fetcher.account
    join lateral (select public_key from bank_fetcher.account_key k where k.account_id = account.id limit 1) key on true
    where tenant_id = ${tenant}`

  // mail-admin: an app password of one of the tenant's mailboxes.
  yield* sql`insert into mail_admin.app_password
      (tenant_id, mailbox_id, user_id, device_id, device_name, tag, password_hash)
    values (${tenant}, ${ids.mailbox}, ${user}, ${secret()}, ${secret()}, 'aa', ${secret()})`
  // mail-admin: a ban by one of the tenant's mailboxes.
  yield* sql`insert into mail_admin.ban (tenant_id, address, rule, banned_at, until)
    values (${tenant}, ${party.address}, ${secret()}, now(), now() + interval '1 day')`

  // dns-verifier: what was read and written of the zone.
  yield* sql`insert into dns_verifier.owned_set (domain_id, tenant_id, type, name, contents)
    values (${ids.domain}, ${tenant}, 'TXT', ${secret()}, ${json([secret()])})`
  yield* sql`insert into dns_verifier.zone_reading (domain_id, tenant_id, sets, fingerprint) values (${ids.domain},
    ${tenant}, ${json([{ type: "TXT", name: "theirs", ttl: 60, contents: [secret()] }])}, ${secret()})`
  const [plan] = yield* sql<{ id: string }>`insert into dns_verifier.plan
      (tenant_id, domain_id, reason, actor, state, fingerprint, zone_sets, share)
    values (${tenant}, ${ids.domain}, ${secret()}, ${secret()}, 'planned', ${secret()}, 3, 0.5) returning id`
  yield* sql`insert into dns_verifier.plan_step (plan_id, position, tenant_id, type, name, after, owns, reason)
    values (${plan!.id}, 0, ${tenant}, 'TXT', ${secret()}, ${json([secret()])}, ${json([secret()])}, ${secret()})`

  yield* sql`insert into dns_verifier.zone_change (domain_id, tenant_id, problem)
    values (${ids.domain}, ${tenant}, ${secret()}) on conflict (domain_id) do update set problem = excluded.problem`

  yield* mailRows(suite, party, user)
  yield* wakeWords(suite, party)
  yield* provisioningRows(suite, party, user)
  yield* bankFetches(suite, party)
})

/** bank-fetcher: an account with an outage. The bank that it would need is outside this test. */
const bankFetches = Effect.fnUntraced(function* ({ sql }: TestSuite, { secret, tenant }: Party) {
  const [account] = yield* sql<{ id: string }>`insert into bank_fetcher.account (tenant_id, name, iban)
    values (${tenant}, ${secret()}, ${secret()}) returning id`
  yield* sql`insert into bank_fetcher.fetch (tenant_id, account_id, reason, state, problem, requested_by, finished_at)
    values (${tenant}, ${account!.id}, 'manual', 'failed', ${secret()}, ${secret()}, now())`
  yield* sql`insert into bank_fetcher.fetch_state (account_id, tenant_id, failures, since, last_problem)
    values (${account!.id}, ${tenant}, 3, now(), ${secret()})`
})

/** wake-word: a model, a recording, and a training that used it. */
const wakeWords = Effect.fnUntraced(function* ({ sql }: TestSuite, { secret, tenant }: Party) {
  const metrics = JSON.stringify({
    false_accepts_per_hour: 0,
    miss_rate: 0,
    negative_hours: 3,
    false_accepts: 0,
    utterances: 100,
    misses: 0,
    voices: [secret()],
    uploads: 1,
    notes: [secret()]
  })
  yield* sql`insert into wake_word.model
      (tenant_id, name, word, language, threshold, extractor, sha256, size, file, metrics)
    values (${tenant}, ${secret().toLowerCase()}, ${secret().toLowerCase()}, 'de', 0.5, ${secret()}, ${secret()}, 3,
      ${Buffer.from(secret())}, ${metrics}::text::jsonb)`
  const [sample] = yield* sql<{ id: number }>`insert into wake_word.sample
      (tenant_id, word, name, speaker, duration_ms, original_rate, sha256, audio, created_by)
    values (${tenant}, ${secret().toLowerCase()}, ${secret()}, ${secret()}, 100, 16000, ${secret()},
      ${Buffer.from(secret())}, ${secret()}) returning id`
  const [training] = yield* sql<{ id: string }>`insert into wake_word.training
      (tenant_id, word, language, name, seed, size, use_uploads, state, requested_by, finished_at)
    values (${tenant}, ${secret().toLowerCase()}, 'de', ${secret().toLowerCase()}, 1, 'small', true, 'done', ${secret()},
      now()) returning id`
  yield* sql`insert into wake_word.training_sample (job_id, sample_id, tenant_id, held_out)
    values (${training!.id}, ${sample!.id}, ${tenant}, false)`
})

/** mail-watcher: an account at a foreign server, and all that belongs to it. */
const mailRows = Effect.fnUntraced(function* ({ sql }: TestSuite, { secret, tenant }: Party, user: number) {
  const [row] = yield* sql<{ id: number }>`insert into mail_watcher.account
      (tenant_id, user_id, address, kind, display_name, imap_host, imap_port, password, watch, is_default)
    values (${tenant}, ${user}, ${`${secret()}@elsewhere.test`}, 'foreign', ${secret()}, 'imap.elsewhere.test', 993,
      'none', 'lazy', false) returning id`
  const id = row!.id
  yield* sql`insert into mail_watcher.account_deleted (id, tenant_id, xid)
    values (${1_000 + tenant}, ${tenant}, pg_current_xact_id())`
  yield* sql`insert into mail_watcher.watch (account_id, tenant_id, mode, folders)
    values (${id}, ${tenant}, 'lazy', 1) on conflict (account_id) do nothing`
  yield* sql`insert into mail_watcher.folder
      (account_id, tenant_id, name, uid_validity, uid_next, since, messages, unseen)
    values (${id}, ${tenant}, ${secret()}, 1, 1, now(), 0, 0)`
  yield* sql`insert into mail_watcher.announced (account_id, tenant_id, fingerprint, folder, uid_validity)
    values (${id}, ${tenant}, 'x', ${secret()}, 1)`
  const [signature] = yield* sql<{ id: number }>`insert into mail_watcher.signature
      (tenant_id, account_id, name, html, is_default) values (${tenant}, ${id}, ${secret()}, ${secret()}, true) returning id`
  yield* sql`insert into mail_watcher.signature_rule
      (tenant_id, account_id, signature_id, match_type, match_value, position)
    values (${tenant}, ${id}, ${signature!.id}, 'domain', ${`${secret()}.test`}, 0)`
  const word = secret()
  const [contact] = yield* sql<{ id: number }>`insert into mail_watcher.contact
      (tenant_id, account_id, name, company, emails, phones, websites, note, folded)
    values (${tenant}, ${id}, ${word}, ${secret()}, '["a@far.test"]', '[]', '[]', ${secret()}, ${word}) returning id`
  yield* sql`insert into mail_watcher.contact_email (tenant_id, account_id, contact_id, address, name, folded)
    values (${tenant}, ${id}, ${contact!.id}, 'a@far.test', ${secret()}, ${`${word} a@far.test`})`
  yield* sql`insert into mail_watcher.contact_word (tenant_id, account_id, contact_id, word)
    values (${tenant}, ${id}, ${contact!.id}, ${word})`
  yield* sql`insert into mail_watcher.recent_recipient (tenant_id, account_id, address, name, folded)
    values (${tenant}, ${id}, 'b@far.test', ${secret()}, ${`${secret()} b@far.test`})`
  const [sending] = yield* sql<{ id: number }>`insert into mail_watcher.sending
      (tenant_id, account_id, caller, body_hash, message_id, recipients)
    values (${tenant}, ${id}, ${`user:${user}`}, '', ${`<${secret()}@far.test>`}, 1) returning id::float8 as id`
  yield* sql`insert into mail_watcher.missing_copy (sending_id, tenant_id, account_id, raw)
    values (${sending!.id}, ${tenant}, ${id}, ${Buffer.from(secret())})`
  const upload = randomUUID()
  yield* sql`insert into mail_watcher.upload (id, tenant_id, account_id, name, content_type, size, complete)
    values (${upload}, ${tenant}, ${id}, ${secret()}, 'text/plain', 4, true)`
  yield* sql`insert into mail_watcher.upload_chunk (upload_id, tenant_id, position, bytes)
    values (${upload}, ${tenant}, 0, ${randomBytes(4)})`
})
