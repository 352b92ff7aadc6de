/**
 * Tables that every daemon uses: events and cursors, service tokens, idempotency keys, incarnations and claims. Also
 * the functions by which a daemon's migration enables row-level security and change tracking for a table.
 */
import { sharedTexts } from "../words/TextSchema.ts"
import type { Migrations } from "./Migrations.ts"
import { newestExemptions, newestExtensions, newestRevocations, newestStates } from "./StateKeySchema.ts"

/** Schema `core`. A daemon's own tables live in its own schema. */
export const coreMigrations: Migrations = {
  schema: "core",
  steps: [
    {
      id: 1,
      name: "tenancy",
      statements: [
        `create function core.tenant() returns int language sql stable parallel safe
           return nullif(current_setting('app.tenant', true), '')::int`,
        // Enables row-level security on a table with a tenant_id: a tenant sees its own rows, the platform role sees
        // all rows.
        `create function core.protect(protected regclass) returns void language plpgsql as $$
         begin
           execute format('alter table %s enable row level security', protected);
           execute format('alter table %s force row level security', protected);
           execute format('create policy tenant on %s to signalbox_tenant
             using (tenant_id = core.tenant()) with check (tenant_id = core.tenant())', protected);
           execute format('create policy platform on %s to %I using (true) with check (true)', protected, current_user);
           execute format('grant usage on schema %I to signalbox_tenant', 
             (select n.nspname from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = protected));
           execute format('grant select, insert, update, delete on %s to signalbox_tenant', protected);
         end $$`,
        `grant usage on schema core to signalbox_tenant`
      ]
    },
    {
      id: 2,
      name: "events",
      statements: [
        // A reader's position is ordered by xid. Sequence numbers are assigned before commit, so they have gaps of
        // uncommitted rows; transaction ids show which transactions have ended.
        `create table core.event (
           id bigint generated always as identity primary key,
           xid xid8 not null default pg_current_xact_id(),
           type text not null,
           source text not null,
           tenant_id int,
           user_id int,
           data jsonb not null,
           at timestamptz not null default now()
         )`,
        `create index event_order on core.event (xid, id)`,
        `create index event_age on core.event using brin (at)`,
        `select core.protect('core.event')`,
        `create table core.event_cursor (
           consumer text primary key,
           xid xid8 not null,
           id bigint not null,
           since pg_snapshot,
           moved_at timestamptz not null default now()
         )`
      ]
    },
    {
      id: 3,
      name: "service tokens",
      statements: [
        `create table core.service_token (
           id int generated always as identity primary key,
           name text not null,
           hash bytea not null unique,
           scope text not null,
           created_at timestamptz not null default now(),
           expires_at timestamptz,
           revoked_at timestamptz,
           last_used_at timestamptz
         )`
      ]
    },
    {
      id: 4,
      name: "idempotency keys",
      statements: [
        `create table core.idempotency_key (
           caller text not null,
           endpoint text not null,
           key text not null,
           body_hash bytea not null,
           response jsonb,
           created_at timestamptz not null default now(),
           primary key (caller, endpoint, key)
         )`,
        `create index idempotency_key_age on core.idempotency_key (created_at)`
      ]
    },
    {
      id: 5,
      name: "incarnations and claims",
      statements: [
        // One row per life of a process, which holds an advisory lock by this id while it lives.
        `create table core.incarnation (
           id int generated always as identity primary key,
           daemons text not null,
           host text not null,
           pid int not null,
           started_at timestamptz not null default now()
         )`,
        `create table core.job_claim (
           job_id uuid primary key,
           queue text not null,
           incarnation int not null,
           claimed_at timestamptz not null default now()
         )`,
        `create index job_claim_incarnation on core.job_claim (incarnation)`
      ]
    },
    {
      id: 6,
      name: "cache",
      statements: [
        `create unlogged table core.cache (
           key text primary key,
           value jsonb not null,
           expires_at timestamptz not null
         )`
      ]
    },
    {
      id: 7,
      name: "tracked tables",
      statements: [
        // core.track adds the column xid, the transaction that last wrote the row, so that a projection finds the rows
        // changed since a snapshot. columns: only changes of these columns count; null: changes of all columns.
        `create function core.tracked() returns trigger language plpgsql as $$
         begin
           new.xid := pg_current_xact_id();
           return new;
         end $$`,
        `create function core.track(tracked regclass, columns text default null) returns void language plpgsql as $$
         begin
           execute format('alter table %s add column xid xid8 not null default pg_current_xact_id()', tracked);
           execute format('create index on %s (xid)', tracked);
           execute format('create trigger tracked before update %s on %s for each row execute function core.tracked()',
             coalesce('of ' || columns, ''), tracked);
         end $$`
      ]
    },
    {
      id: 8,
      name: "who is who",
      statements: [
        // Public keys for verifying users' tokens. Stored in schema core, because every process verifies tokens.
        `create table core.verification_key (
           kid text primary key,
           alg text not null,
           jwk jsonb not null,
           created_at timestamptz not null default now(),
           expires_at timestamptz
         )`,
        `select core.track('core.verification_key')`,
        // Sessions that ended before their tokens expired. Rows are deleted once the last of these tokens has expired.
        `create table core.ended_session (
           session uuid primary key,
           ended_at timestamptz not null default now(),
           forget_at timestamptz not null
         )`,
        `create index ended_session_age on core.ended_session (forget_at)`,
        `select core.track('core.ended_session')`,
        `alter table core.service_token add column scopes text[]`,
        `update core.service_token set scopes = array[scope]`,
        `alter table core.service_token alter column scopes set not null, drop column scope`,
        `select core.track('core.service_token', 'name, hash, scopes, expires_at, revoked_at')`
      ]
    },
    {
      id: 9,
      name: "audit log",
      statements: [
        `create table core.audit (
           id bigint generated always as identity primary key,
           tenant_id int not null,
           at timestamptz not null default now(),
           actor text not null,
           action text not null,
           entity_type text not null,
           entity_id text not null,
           address text,
           detail jsonb not null default '{}'
         )`,
        `create index audit_tenant on core.audit (tenant_id, id desc)`,
        `create index audit_entity on core.audit (entity_type, entity_id, id desc)`,
        `create index audit_age on core.audit using brin (at)`,
        `select core.protect('core.audit')`,
        // The audit log is append-only: only the retention sweep deletes entries.
        `revoke update, delete on core.audit from signalbox_tenant`
      ]
    },
    {
      id: 10,
      name: "filters of the audit log",
      statements: [
        // One index per filter of the list, in list order, so that a page costs the same however rare its entries are.
        `create index audit_actor on core.audit (actor, id desc)`,
        // A generated column, because row-level security prevents the use of an index on an expression: its function
        // could leak other rows.
        `alter table core.audit add column action_group text generated always as (split_part(action, '.', 1)) stored`,
        `create index audit_action on core.audit (action_group, id desc)`,
        `create index audit_kind on core.audit (entity_type, id desc)`,
        // Replaces a BRIN index, which does not yet cover the newest pages, although these are requested most.
        `drop index core.audit_age`,
        `create index audit_age on core.audit (at)`
      ]
    },
    {
      id: 11,
      name: "signing keys",
      statements: [
        `create table core.signing_key (
           kid text primary key,
           private_jwk text not null,
           created_at timestamptz not null default now(),
           signs_from timestamptz not null,
           retires_at timestamptz not null
         )`
      ]
    },
    {
      id: 12,
      name: "audiences of events",
      statements: [
        // Limits the events a tenant's transaction sees: all of the tenant or, with `app.member` set, those for
        // everybody and for that user.
        `create function core.member() returns int language sql stable parallel safe
           return nullif(current_setting('app.member', true), '')::int`,
        `create policy member on core.event as restrictive for select to signalbox_tenant
           using (user_id is null or core.member() is null or user_id = core.member())`,
        // Reads one slice of the outbox for several tenants, switching to each tenant in turn: with the tenant role,
        // the policy applies to each of them.
        `create function core.events_for(tenants int[], after_xid xid8, after_id bigint, upto_xid xid8, upto_id bigint)
           returns table (tenant int, id bigint, xid text, type text, member int, data text)
           language plpgsql as $$
         declare seer int;
         begin
           foreach seer in array tenants loop
             perform set_config('app.tenant', seer::text, true);
             return query select seer, e.id, e.xid::text, e.type, e.user_id, e.data::text from core.event e
               where (e.xid, e.id) > (after_xid, after_id) and (e.xid, e.id) <= (upto_xid, upto_id)
               order by e.xid, e.id;
           end loop;
         end $$`,
        // Position up to which events were deleted. A reader with an earlier position has missed events.
        `create table core.event_floor (one bool primary key default true check (one),
           xid xid8 not null, id bigint not null)`
      ]
    },
    {
      id: 13,
      name: "events of a tenant",
      // A reader of one tenant, of which there may be hundreds, reads the events of that tenant only.
      statements: [`create index event_tenant on core.event (tenant_id, xid, id)`]
    },
    {
      id: 14,
      name: "the log of events",
      statements: [
        // The list of event types and a reader's newest events are read from an index alone. So a page of the event log
        // costs the same, however rare the requested events are. Plain columns, because row-level security prevents the
        // use of an index on an expression.
        `create index event_type on core.event (type, at, id)`,
        `create index event_reader on core.event (tenant_id, user_id, type, at, id)`
      ]
    },
    {
      id: 15,
      name: "claims to domain names",
      statements: [
        `create table core.name_claim (
           id int generated always as identity primary key,
           kind text not null check (kind in ('mail', 'sip', 'dns')),
           tenant_id int not null,
           name text not null,
           token text not null,
           state text not null check (state in ('pending', 'proven')),
           proven_by text check ((proven_by is not null) = (state = 'proven')),
           created_at timestamptz not null default now(),
           looked_at timestamptz,
           next_look_at timestamptz not null default now(),
           unique (kind, tenant_id, name)
         )`,
        `create unique index name_claim_holder on core.name_claim (kind, name) where state = 'proven'`,
        `create index name_claim_tenant on core.name_claim (tenant_id, name)`,
        `create index name_claim_due on core.name_claim (next_look_at) where state = 'pending'`,
        `select core.protect('core.name_claim')`,
        // A tenant reads its challenges. Claims change only by core/ownership, as the platform role.
        `revoke insert, update, delete on core.name_claim from signalbox_tenant`
      ]
    },
    {
      id: 16,
      name: "caller ids of gateways",
      statements: [
        `create table core.gateway_caller_id (
           gateway text primary key,
           tenant_id int not null,
           caller_id text not null
         )`,
        `select core.protect('core.gateway_caller_id')`
      ]
    },
    newestStates,
    {
      id: 18,
      name: "keys of cluster ports",
      statements: [`alter table core.incarnation add column cluster_address text, add column cluster_key bytea`]
    },
    newestExemptions,
    newestExtensions,
    {
      id: 21,
      name: "requests between daemons",
      statements: [
        // body, answer: sealed JSON. Unlogged: a request lives for seconds, and its daemon asks again after a crash.
        `create unlogged table core.request (
           id uuid primary key,
           type text not null,
           body text not null,
           answer text,
           created_at timestamptz not null default now(),
           claimed_at timestamptz,
           expires_at timestamptz not null
         )`,
        `create index request_waiting on core.request (type, created_at) where claimed_at is null`
      ]
    },
    {
      id: 22,
      name: "stored settings",
      statements: [
        // Settings of the installation. Without a tenant, so the role of tenants has no access.
        `create table core.stored_setting (
           name text primary key,
           value text,
           envelope text,
           changed_at timestamptz not null default now(),
           changed_by text not null,
           check (value is null or envelope is null)
         )`,
        `select core.track('core.stored_setting')`
      ]
    },
    sharedTexts,
    newestRevocations,
    {
      id: 25,
      name: "set-up steps",
      statements: [
        // Steps that no setting shows as done, and those that an operator does not want. Without a tenant.
        `create table core.setup_step (
           name text primary key,
           state text not null check (state in ('done', 'skipped')),
           changed_at timestamptz not null default now(),
           changed_by text not null
         )`
      ]
    }
  ]
}
