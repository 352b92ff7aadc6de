import type { Migration } from "#core/sql/Migrations.ts"

/** The catalog, the same for all tenants, with the services of interface document 2 §2.4. */
export const catalog: Migration = {
  id: 1,
  name: "catalog",
  statements: [
    `create table provisioning.service (
       slug text primary key,
       name_i18n jsonb not null,
       description_i18n jsonb not null,
       icon text not null,
       config_template jsonb not null,
       feature_slug text not null,
       is_base boolean not null,
       position int not null,
       updated_at timestamptz not null default now()
     )`,
    `create table provisioning.package (
       id int generated always as identity primary key,
       slug text not null unique,
       name text not null,
       type text not null
     )`,
    `create table provisioning.mapping (
       id int generated always as identity primary key,
       service text not null references provisioning.service (slug) on delete cascade,
       module_slug text,
       package_type text,
       package_id int references provisioning.package (id),
       check (num_nonnulls(module_slug, package_type, package_id) > 0),
       unique nulls not distinct (service, module_slug, package_type, package_id)
     )`,
    `insert into provisioning.service
         (slug, name_i18n, description_i18n, icon, config_template, feature_slug, is_base, position) values
       ('platform-access', '{"de": "Plattform", "en": "Platform access"}',
         '{"de": "Anmeldung an der Plattform", "en": "Sign-in to the platform"}', 'globe',
         '{"protocol": "HTTPS", "url_template": "https://{base_url}", "provides_login_token": true}',
         'platform', true, 10),
       ('cloud-storage', '{"de": "Dateien", "en": "Cloud storage"}',
         '{"de": "Dateien auf allen Geräten", "en": "Files on all devices"}', 'cloud',
         '{"protocol": "WebDAV", "url_template": "https://{base_url}/dav/files/{user_slug}/"}',
         'webdav', false, 20),
       ('contacts', '{"de": "Kontakte", "en": "Contacts"}',
         '{"de": "Adressbuch auf allen Geräten", "en": "Address book on all devices"}', 'users',
         '{"protocol": "CardDAV", "url_template": "https://{base_url}/dav/addressbooks/{user_slug}/contacts/"}',
         'carddav', false, 30),
       ('calendar', '{"de": "Kalender", "en": "Calendar"}',
         '{"de": "Termine auf allen Geräten", "en": "Appointments on all devices"}', 'calendar',
         '{"protocol": "CalDAV", "url_template": "https://{base_url}/dav/calendars/{user_slug}/default/"}',
         'caldav', false, 40),
       ('email', '{"de": "E-Mail", "en": "Mail"}',
         '{"de": "E-Mails lesen und senden", "en": "Read and send mail"}', 'mail',
         '{"protocol": "IMAP+SMTP", "url_template": "mail.{base_url}:993/587", "provides_app_password": true}',
         'mail', false, 50),
       ('telephony', '{"de": "Telefonie", "en": "Telephony"}',
         '{"de": "Telefonieren mit der eigenen Nebenstelle", "en": "Calls with your own extension"}', 'phone',
         '{"protocol": "SIP-WSS", "url_template": "wss://{base_url}/sip", "provides_extension": true}',
         'sip', false, 60)`
  ]
}
