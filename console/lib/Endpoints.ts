/**
 * Types of the daemons' endpoints, derived from their API declarations. Types only, so that no server code gets into
 * the browser. An endpoint is named by method and path.
 */
import type { Schema } from "effect"
import type { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import type { BridgeApi } from "../../daemons/alarm-bridge/status/Api.ts"
import type { AccountsApi as BankAccountsApi } from "../../daemons/bank-fetcher/accounts/Api.ts"
import type { FetchingApi } from "../../daemons/bank-fetcher/fetching/Api.ts"
import type { InvoicesApi } from "../../daemons/bank-fetcher/invoices/Api.ts"
import type { PaymentWebhooksApi } from "../../daemons/bank-fetcher/payment-webhooks/Api.ts"
import type { ReconciliationApi } from "../../daemons/bank-fetcher/reconciliation/Api.ts"
import type { StatementsApi } from "../../daemons/bank-fetcher/statements/Api.ts"
import type { AcknowledgeLinksApi } from "../../daemons/comm-dispatcher/acknowledge-links/Api.ts"
import type { AlarmsApi } from "../../daemons/comm-dispatcher/alarms/Api.ts"
import type { EventsApi } from "../../daemons/comm-dispatcher/event-socket/Api.ts"
import type { NotificationsApi } from "../../daemons/comm-dispatcher/notifications/Api.ts"
import type { TestAlarmApi } from "../../daemons/comm-dispatcher/test-alarm/Api.ts"
import type { SupportApi } from "../../daemons/comm-dispatcher/support/Api.ts"
import type { WebhookSecretsApi } from "../../daemons/comm-dispatcher/webhook-secrets/Api.ts"
import type { WorkflowsApi } from "../../daemons/comm-dispatcher/workflows/Api.ts"
import type { DomainsApi as DnsDomainsApi } from "../../daemons/dns-verifier/domains/Api.ts"
import type { RecordsApi } from "../../daemons/dns-verifier/domains/records/Api.ts"
import type { ProvidersApi } from "../../daemons/dns-verifier/providers/Api.ts"
import type { VerificationApi } from "../../daemons/dns-verifier/verification/Api.ts"
import type { ZonesApi } from "../../daemons/dns-verifier/zones/Api.ts"
import type { ManagementApi } from "../../daemons/edge-auth/management/Api.ts"
import type { AuditLogApi } from "../../daemons/identity/audit-log/Api.ts"
import type { FactorsApi } from "../../daemons/identity/factors/Api.ts"
import type { FederationApi } from "../../daemons/identity/federation/Api.ts"
import type { MailLoginApi } from "../../daemons/identity/mail-login/Api.ts"
import type { PlatformSettingsApi } from "../../daemons/identity/platform-settings/Api.ts"
import type { PreferencesApi } from "../../daemons/identity/preferences/Api.ts"
import type { SetupApi } from "../../daemons/identity/setup/Api.ts"
import type { ServiceTokensApi } from "../../daemons/identity/service-tokens/Api.ts"
import type { SignInApi } from "../../daemons/identity/sign-in/Api.ts"
import type { SigningKeysApi } from "../../daemons/identity/signing-keys/Api.ts"
import type { UsersApi } from "../../daemons/identity/users/Api.ts"
import type { BundlesApi } from "../../daemons/localization/bundles/Api.ts"
import type { FilesApi as TextFilesApi } from "../../daemons/localization/files/Api.ts"
import type { RebuildsApi } from "../../daemons/localization/rebuilds/Api.ts"
import type { TextsApi } from "../../daemons/localization/texts/Api.ts"
import type { DomainsApi } from "../../daemons/mail-admin/domains/Api.ts"
import type { MailboxesApi } from "../../daemons/mail-admin/domains/mailboxes/Api.ts"
import type { AliasesApi } from "../../daemons/mail-admin/aliases/Api.ts"
import type { BansApi } from "../../daemons/mail-admin/bans/Api.ts"
import type { AppPasswordsApi } from "../../daemons/mail-admin/app-passwords/Api.ts"
import type { AutoconfigApi } from "../../daemons/mail-admin/autoconfig/Api.ts"
import type { AccountsApi } from "../../daemons/mail-watcher/accounts/Api.ts"
import type { MailboxWatchApi } from "../../daemons/mail-watcher/mailbox-watch/Api.ts"
import type { PeopleApi } from "../../daemons/mail-watcher/people/Api.ts"
import type { WebmailChangesApi } from "../../daemons/mail-watcher/webmail-changes/Api.ts"
import type { WebmailReadingApi } from "../../daemons/mail-watcher/webmail-reading/Api.ts"
import type { WebmailSendingApi } from "../../daemons/mail-watcher/webmail-sending/Api.ts"
import type { BookingsApi } from "../../daemons/provisioning/bookings/Api.ts"
import type { CatalogApi } from "../../daemons/provisioning/catalog/Api.ts"
import type { DevicePagesApi } from "../../daemons/provisioning/device-pages/Api.ts"
import type { DevicesApi } from "../../daemons/provisioning/devices/Api.ts"
import type { LinkMailApi } from "../../daemons/provisioning/link-mail/Api.ts"
import type { RetrievalApi } from "../../daemons/provisioning/retrieval/Api.ts"
import type { TokensApi } from "../../daemons/provisioning/tokens/Api.ts"
import type { CallsApi } from "../../daemons/sip-config/calls/Api.ts"
import type { CustomersApi } from "../../daemons/sip-config/customers/Api.ts"
import type { DirectoryApi } from "../../daemons/sip-config/directory/Api.ts"
import type { RoutingApi } from "../../daemons/sip-config/routing/dry-run/Api.ts"
import type { ComponentsApi } from "../../daemons/status-checker/components/Api.ts"
import type { IncidentsApi } from "../../daemons/status-checker/incidents/Api.ts"
import type { MaintenanceApi } from "../../daemons/status-checker/maintenance/Api.ts"
import type { OverviewApi } from "../../daemons/status-checker/overview/Api.ts"
import type { PublicationApi } from "../../daemons/status-checker/publication/Api.ts"
import type { ListeningApi } from "../../daemons/wake-word/listening/Api.ts"
import type { ModelsApi } from "../../daemons/wake-word/models/Api.ts"
import type { SamplesApi } from "../../daemons/wake-word/samples/Api.ts"
import type { TrainingApi } from "../../daemons/wake-word/training/Api.ts"
import type { AlertingApi } from "../../daemons/watchdog/alerting/Api.ts"
import type { BackupsApi } from "../../daemons/watchdog/backups/Api.ts"
import type { SecurityApi } from "../../daemons/watchdog/bans/Api.ts"
import type { MonitoringApi } from "../../daemons/watchdog/monitoring/Api.ts"
import type { ServicesApi } from "../../daemons/watchdog/services/Api.ts"

/** APIs that the console uses; add new ones here. */
type Apis =
  | typeof BridgeApi
  | typeof BankAccountsApi
  | typeof FetchingApi
  | typeof InvoicesApi
  | typeof PaymentWebhooksApi
  | typeof ReconciliationApi
  | typeof StatementsApi
  | typeof AcknowledgeLinksApi
  | typeof AlarmsApi
  | typeof EventsApi
  | typeof NotificationsApi
  | typeof SupportApi
  | typeof WebhookSecretsApi
  | typeof WorkflowsApi
  | typeof DnsDomainsApi
  | typeof RecordsApi
  | typeof ProvidersApi
  | typeof VerificationApi
  | typeof ZonesApi
  | typeof ManagementApi
  | typeof AuditLogApi
  | typeof FactorsApi
  | typeof FederationApi
  | typeof MailLoginApi
  | typeof PlatformSettingsApi
  | typeof SetupApi
  | typeof TestAlarmApi
  | typeof PreferencesApi
  | typeof ServiceTokensApi
  | typeof SignInApi
  | typeof SigningKeysApi
  | typeof UsersApi
  | typeof BundlesApi
  | typeof TextFilesApi
  | typeof RebuildsApi
  | typeof TextsApi
  | typeof DomainsApi
  | typeof MailboxesApi
  | typeof AliasesApi
  | typeof BansApi
  | typeof AppPasswordsApi
  | typeof AutoconfigApi
  | typeof AccountsApi
  | typeof MailboxWatchApi
  | typeof PeopleApi
  | typeof WebmailChangesApi
  | typeof WebmailReadingApi
  | typeof WebmailSendingApi
  | typeof BookingsApi
  | typeof CatalogApi
  | typeof DevicePagesApi
  | typeof DevicesApi
  | typeof LinkMailApi
  | typeof RetrievalApi
  | typeof TokensApi
  | typeof CallsApi
  | typeof CustomersApi
  | typeof DirectoryApi
  | typeof RoutingApi
  | typeof ComponentsApi
  | typeof IncidentsApi
  | typeof MaintenanceApi
  | typeof OverviewApi
  | typeof PublicationApi
  | typeof BookingsApi
  | typeof CatalogApi
  | typeof DevicesApi
  | typeof RetrievalApi
  | typeof TokensApi
  | typeof ListeningApi
  | typeof ModelsApi
  | typeof SamplesApi
  | typeof TrainingApi
  | typeof AlertingApi
  | typeof BackupsApi
  | typeof SecurityApi
  | typeof MonitoringApi
  | typeof ServicesApi

/** Answer of `/health`, which is not part of a daemon's API declaration. */
export type { Component, HealthReport, Verdict } from "../../core/daemon/Health.ts"

type GroupsOf<Api> = Api extends HttpApi.HttpApi<infer _Id, infer Groups> ? Groups : never
type EndpointsOf<Group> =
  Group extends HttpApiGroup.HttpApiGroup<infer _Id, infer Endpoints, infer _Top> ? Endpoints : never
type All = EndpointsOf<GroupsOf<Apis>>

/** Endpoints wrap their schemas in codecs. */
type Inner<S> = S extends { readonly schema: infer I extends Schema.Top } ? I : S
type Encoded<S> = [S] extends [never] ? undefined : Inner<S> extends Schema.Top ? Inner<S>["Encoded"] : undefined
type Decoded<S> = [S] extends [never] ? undefined : Inner<S> extends Schema.Top ? Inner<S>["Type"] : undefined

interface Shape<Params, Query, Payload, Success> {
  readonly params: Params
  readonly query: Query
  readonly payload: Payload
  readonly success: Success
}

type ByName<Endpoint> =
  Endpoint extends HttpApiEndpoint.HttpApiEndpoint<
    infer _Id,
    infer Method,
    infer Path,
    infer Params,
    infer Query,
    infer Payload,
    infer _Headers,
    infer Success,
    infer _Error,
    infer _M,
    infer _MR
  >
    ? {
        readonly name: `${Method} ${Path}`
        readonly shape: Shape<Decoded<Params>, Decoded<Query>, Encoded<Payload>, Encoded<Success>>
      }
    : never

type Named = ByName<All>

/** Name of an endpoint, such as `GET /api/v1/notifications`, without the final slash of its path. */
export type EndpointName = Trimmed<Named["name"]>

type Trimmed<Name extends string> = Name extends `${infer Start}/` ? Start : Name

type ShapeOf<Name extends EndpointName> = Extract<Named, { readonly name: Name | `${Name}/` }>["shape"]

/** Body of an endpoint's answer, as JSON. */
export type Answer<Name extends EndpointName> = ShapeOf<Name>["success"]

/** Body of a request, as JSON. */
export type Payload<Name extends EndpointName> = ShapeOf<Name>["payload"]

type Part<Key extends string, Value> = [Value] extends [undefined]
  ? { readonly [K in Key]?: undefined }
  : {} extends Value
    ? { readonly [K in Key]?: Loose<Value> }
    : { readonly [K in Key]: Loose<Value> }

/** Queries and paths are strings on the wire, so a string is accepted for every value; undefined values are omitted. */
type Loose<Value> = {
  readonly [K in keyof Value]: Value[K] | (Value[K] extends string | undefined ? undefined : string | undefined)
}

/** Parameters, query and payload of a call. */
export type Options<Name extends EndpointName> = Part<"params", ShapeOf<Name>["params"]> &
  Part<"query", ShapeOf<Name>["query"]> &
  ([ShapeOf<Name>["payload"]] extends [undefined]
    ? { readonly payload?: undefined }
    : { readonly payload?: ShapeOf<Name>["payload"] })
