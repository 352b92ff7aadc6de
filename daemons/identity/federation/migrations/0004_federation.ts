import type { Migration } from "#core/sql/Migrations.ts"

/** Tables of sign-in through OpenID providers. */
export const federation: Migration = {
  id: 4,
  name: "outside providers",
  statements: [
    // Keyed by issuer, not by the provider's number in the settings: a subject is unique only at its issuer (OpenID
    // Connect Core §2), and the settings of a number may change.
    `create table identity.federated_account (
       issuer text not null,
       subject text not null,
       tenant_id int not null,
       account_id int not null references identity.account (id) on delete cascade,
       -- The address the provider told, for lists.
       email text,
       -- email: found by a verified address. owner: connected by somebody signed in.
       linked_by text not null check (linked_by in ('email', 'owner')),
       linked_at timestamptz not null default now(),
       last_used_at timestamptz,
       primary key (issuer, subject),
       unique (account_id, issuer)
     )`,
    `select core.protect('identity.federated_account')`,
    // A sign-in in progress at a provider, with the values that the response must match. The tenant is not known yet.
    // The code verifier (RFC 7636) is not stored: it is derived from the browser's cookie, of which only a hash is
    // stored.
    `create table identity.oidc_flow (
       state_hash bytea primary key,
       provider text not null,
       nonce text not null,
       browser_hash bytea not null,
       redirect_uri text not null,
       return_to text not null,
       -- Set when somebody signed in connects the provider, and in which session.
       account_id int references identity.account (id) on delete cascade,
       session_id uuid references identity.session (id) on delete cascade,
       address text not null,
       created_at timestamptz not null default now(),
       expires_at timestamptz not null
     )`,
    `create index oidc_flow_address on identity.oidc_flow (address)`,
    `create index oidc_flow_age on identity.oidc_flow (expires_at)`
  ]
}
