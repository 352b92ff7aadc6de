import type { Migration } from "#core/sql/Migrations.ts"
import { bookingStates } from "../Booked.ts"

const states = bookingStates.map((state) => `'${state}'`).join(", ")

/** Plan and bookings of the tenants. */
export const bookings: Migration = {
  id: 11,
  name: "plans and bookings",
  statements: [
    // base_domain: null for the host of the installation.
    `create table provisioning.tenant_plan (
       tenant_id int primary key,
       plan text not null,
       base_domain text,
       updated_at timestamptz not null default now()
     )`,
    "select core.protect('provisioning.tenant_plan')",
    `create table provisioning.tenant_module (
       tenant_id int not null,
       slug text not null,
       tier text,
       status text not null check (status in (${states})),
       booked_at timestamptz not null default now(),
       primary key (tenant_id, slug)
     )`,
    "select core.protect('provisioning.tenant_module')",
    `create table provisioning.subscription (
       id int generated always as identity primary key,
       tenant_id int not null,
       package_id int not null references provisioning.package (id),
       status text not null check (status in (${states})),
       booked_at timestamptz not null default now()
     )`,
    "create index subscription_tenant on provisioning.subscription (tenant_id, id)",
    "create index subscription_package on provisioning.subscription (package_id)",
    "select core.protect('provisioning.subscription')",
    `create table provisioning.tenant_addon (
       tenant_id int not null,
       slug text not null,
       status text not null check (status in (${states})),
       quantity int not null default 1 check (quantity > 0),
       booked_at timestamptz not null default now(),
       primary key (tenant_id, slug)
     )`,
    "select core.protect('provisioning.tenant_addon')"
  ]
}
