import type { Migration } from "#core/sql/Migrations.ts"

/** Bank accounts, the keys of their EBICS users, and the keys of the banks. */
export const accounts: Migration = {
  id: 1,
  name: "bank accounts and keys",
  statements: [
    // host_id, partner_id, user_id, server_url: null for an account whose statements are only imported by hand.
    // ebics_version: chosen after HEV, or by a person. key_status: interface document 2 §3.2. state_before: key_status
    // to which a suspended account returns. stopped: why fetching waits for a person, such as changed bank keys.
    // order_types: what to fetch instead of the defaults, such as the form of BTF services. permitted: order types that
    // the bank lists in HTD or HAA. version_by_bank: HEV chose ebics_version, not a person. digest_tried: the other
    // kind of digest was tried with the bank's present keys. ini_begun_at, hia_begun_at: when a request
    // began whose outcome is unknown. If the bank refuses the repetition, it has received the first one. step: what is
    // under way, by whom, and until when another process waits for it. key_salt: salt of the passphrase, base64; null:
    // no passphrase.
    `create table bank_fetcher.account (
       id uuid primary key default gen_random_uuid(),
       seq int generated always as identity unique,
       tenant_id int not null,
       name text not null,
       iban text not null,
       bic text,
       currency text not null default 'EUR',
       holder text,
       host_id text,
       partner_id text,
       user_id text,
       server_url text,
       ebics_version text check (ebics_version in ('H004', 'H005')),
       signature_version text not null default 'A006' check (signature_version in ('A005', 'A006')),
       digest_kind text not null default 'key' check (digest_kind in ('key', 'certificate')),
       key_status text not null default 'pending' check (key_status in ('pending', 'keys_generated', 'ini_sent',
       'hia_sent', 'active', 'suspended')),
       state_before text,
       stopped text,
       version_by_bank boolean not null default false,
       key_bits int not null default 3072,
       digest_tried boolean not null default false,
       key_salt text,
       keys_created_at timestamptz,
       ini_begun_at timestamptz,
       ini_sent_at timestamptz,
       hia_begun_at timestamptz,
       hia_sent_at timestamptz,
       activated_at timestamptz,
       last_answer jsonb,
       step text,
       step_id uuid,
       step_until timestamptz,
       order_types jsonb,
       permitted jsonb,
       daily_schedule text,
       intraday_schedule text,
       fetch_enabled boolean not null default true,
       active boolean not null default true,
       created_at timestamptz not null default now(),
       updated_at timestamptz not null default now()
     )`,
    `create unique index account_iban on bank_fetcher.account (tenant_id, iban) where active`,
    `create index account_tenant on bank_fetcher.account (tenant_id, seq desc)`,
    // purpose: A signature, X authentication, E encryption. private_key: secret envelope of PKCS #8 (DER, base64); with
    // a passphrase, the key in it is encrypted by that as well. public_key: SPKI (DER, base64). certificate: DER,
    // base64.
    `create table bank_fetcher.account_key (
       id uuid primary key default gen_random_uuid(),
       tenant_id int not null,
       account_id uuid not null references bank_fetcher.account (id) on delete cascade,
       purpose text not null check (purpose in ('A', 'X', 'E')),
       private_key text not null,
       public_key text not null,
       certificate text,
       under_passphrase boolean not null default false,
       created_at timestamptz not null default now(),
       unique (account_id, purpose)
     )`,
    // Keys of the bank as HPB answered them. state: `accepted` keys are used, since a person compared the hashes;
    // `offered` keys wait for that. fingerprint: SHA-256 of exponent and modulus, hex.
    `create table bank_fetcher.bank_key (
       account_id uuid not null references bank_fetcher.account (id) on delete cascade,
       tenant_id int not null,
       purpose text not null check (purpose in ('X', 'E')),
       state text not null default 'offered' check (state in ('offered', 'accepted')),
       public_key text not null,
       certificate text,
       fingerprint text not null,
       fetched_at timestamptz not null default now(),
       accepted_at timestamptz,
       accepted_by text,
       primary key (account_id, purpose, state)
     )`,
    `select core.protect('bank_fetcher.account')`,
    `select core.protect('bank_fetcher.account_key')`,
    `select core.protect('bank_fetcher.bank_key')`
  ]
}
