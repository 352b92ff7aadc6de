import { tableStatements } from "#core/imports/Imports.ts"
import type { Migration } from "#core/sql/Migrations.ts"

/** Customers with their IBANs, invoices, and payments. */
export const invoices: Migration = {
  id: 3,
  name: "invoices and payments",
  statements: [
    // Copy of another daemon's customers, from their events.
    `create table bank_fetcher.customer (
       customer_id int primary key,
       tenant_id int not null,
       number text not null,
       name text not null,
       state text not null check (state in ('active', 'deleted')),
       version int not null
     )`,
    `create index customer_tenant on bank_fetcher.customer (tenant_id, customer_id)`,
    `create table bank_fetcher.customer_iban (
       tenant_id int not null,
       customer_id int not null check (customer_id > 0),
       iban text not null,
       created_at timestamptz not null default now(),
       primary key (tenant_id, customer_id, iban)
     )`,
    `create index customer_iban_search on bank_fetcher.customer_iban (tenant_id, iban text_pattern_ops)`,
    // amount: minor units; negative for a credit note. settled: part of it that payments and discounts settled.
    // discounted: part of settled that is cash discount. external_id: id of an outside CRM. discount_until,
    // discount_amount: offered cash discount.
    `create table bank_fetcher.invoice (
       id uuid primary key default gen_random_uuid(),
       seq int generated always as identity unique,
       tenant_id int not null,
       customer_id int check (customer_id > 0),
       external_id text,
       number text not null,
       kind text not null default 'invoice' check (kind in ('invoice', 'credit_note')),
       amount bigint not null,
       settled bigint not null default 0,
       discounted bigint not null default 0,
       currency text not null,
       issued_on date not null,
       due_on date not null,
       discount_until date,
       discount_amount bigint,
       status text not null default 'open' check (status in ('open', 'partial', 'paid', 'cancelled')),
       note text,
       created_at timestamptz not null default now(),
       updated_at timestamptz not null default now(),
       unique (tenant_id, number),
       unique (tenant_id, external_id)
     )`,
    `create index invoice_tenant on bank_fetcher.invoice (tenant_id, seq desc)`,
    `create index invoice_open on bank_fetcher.invoice (tenant_id, due_on) where status in ('open', 'partial')`,
    // amount: minor units. transaction_id: of the bank transaction that it was made from. state: an undone payment
    // settles nothing any more. unassigned: part of the amount that settles no invoice. returns: payment that this one
    // returns or refunds.
    `create table bank_fetcher.payment (
       id uuid primary key default gen_random_uuid(),
       seq int generated always as identity unique,
       tenant_id int not null,
       customer_id int check (customer_id > 0),
       external_id text,
       source text not null check (source in ('bank', 'manual', 'card', 'wallet')),
       transaction_id uuid references bank_fetcher.transaction (id),
       returns uuid references bank_fetcher.payment (id),
       amount bigint not null,
       unassigned bigint not null default 0,
       currency text not null,
       paid_on date not null,
       note text,
       state text not null default 'active' check (state in ('active', 'undone')),
       created_at timestamptz not null default now(),
       updated_at timestamptz not null default now(),
       unique (tenant_id, external_id)
     )`,
    `create unique index payment_transaction on bank_fetcher.payment (transaction_id) where state = 'active'`,
    `create index payment_tenant on bank_fetcher.payment (tenant_id, seq desc)`,
    `create index payment_returns on bank_fetcher.payment (returns) where returns is not null`,
    // amount: part of the payment that settles the invoice. discount: cash discount that the payment used, on top.
    // position: order in which the payment names its invoices.
    `create table bank_fetcher.payment_allocation (
       payment_id uuid not null references bank_fetcher.payment (id) on delete cascade,
       invoice_id uuid not null references bank_fetcher.invoice (id),
       tenant_id int not null,
       amount bigint not null,
       discount bigint not null default 0,
       position int not null default 0,
       primary key (payment_id, invoice_id)
     )`,
    `create index allocation_invoice on bank_fetcher.payment_allocation (invoice_id)`,
    ...tableStatements("bank_fetcher.invoice_import"),
    ...tableStatements("bank_fetcher.payment_import"),
    `select core.protect('bank_fetcher.customer')`,
    `select core.protect('bank_fetcher.customer_iban')`,
    `select core.protect('bank_fetcher.invoice')`,
    `select core.protect('bank_fetcher.payment')`,
    `select core.protect('bank_fetcher.payment_allocation')`
  ]
}
