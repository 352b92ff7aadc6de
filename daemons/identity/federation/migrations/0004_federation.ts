import type { Migration } from "#core/sql/Migrations.ts"

/** Sign-in through outside providers. */
export const federation: Migration = {
  id: 4,
  name: "outside providers",
  statements: [
    // By issuer, not by the provider's place in the settings: a subject means somebody only at its issuer (OpenID
    // Connect Core §2), and what stands in a place may be changed.
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
    // A way out that has not come back yet: what must match when it does. No tenant is known before. What the code is
    // exchanged with (RFC 7636) is not here: it is made from the browser's cookie, of which only a hash is.
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
