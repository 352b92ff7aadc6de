/** Operations of Signalbox 0.1.0. Written by `npm run client`; do not edit. */
/* eslint-disable */
export type Unavailable = { readonly detail?: string; readonly instance?: string; readonly code: "unavailable"; readonly type: "urn:signalbox:problem:unavailable"; readonly status?: 503; readonly title?: "Temporarily unavailable; try again later" }
export type Forbidden = { readonly detail?: string; readonly instance?: string; readonly code: "forbidden"; readonly permission?: string; readonly type: "urn:signalbox:problem:forbidden"; readonly status?: 403; readonly title?: "Not permitted" }
export type Unauthenticated = { readonly detail?: string; readonly instance?: string; readonly code: "unauthenticated"; readonly type: "urn:signalbox:problem:unauthenticated"; readonly status?: 401; readonly title?: "Sign in, or send a valid token" }
export type IdempotencyKeyReused = { readonly detail?: string; readonly instance?: string; readonly code: "idempotency_key_reused"; readonly type: "urn:signalbox:problem:idempotency_key_reused"; readonly status?: 422; readonly title?: "The Idempotency-Key was used with a different body" }
export type InvalidRequest = { readonly detail?: string; readonly instance?: string; readonly code: "invalid_request"; readonly errors: ReadonlyArray<{ readonly field: string; readonly message: string; readonly code?: string }>; readonly type: "urn:signalbox:problem:invalid_request"; readonly status?: 422; readonly title?: "The request is invalid" }
export type CheckDisabled = { readonly detail?: string; readonly instance?: string; readonly code: "check_disabled"; readonly type: "urn:signalbox:problem:check_disabled"; readonly status?: 409; readonly title?: "The check is disabled" }
export type NotFound = { readonly detail?: string; readonly instance?: string; readonly code: "not_found"; readonly type: "urn:signalbox:problem:not_found"; readonly status?: 404; readonly title?: "The resource does not exist" }
export type MonitoringCheck = { readonly id: number; readonly key: string; readonly kind: "container" | "engine" | "mail_queue" | "disk" | "inodes" | "certificate" | "memory" | "load" | "clock" | "unit" | "postgres" | "connections" | "transaction" | "dead_rows" | "replication" | "daemon" | "backup" | "http" | "tcp" | "command"; readonly origin: "built_in" | "operator"; readonly host: (string) | (null); readonly group: string; readonly enabled: boolean; readonly status: "pending" | "ok" | "warning" | "critical" | "unknown"; readonly since: (string) | (null); readonly checked_at: (string) | (null); readonly duration_ms: (number) | (null); readonly value: (number) | (null); readonly unit: (string) | (null); readonly detail: string; readonly detail_de: string; readonly result: ({ readonly code: string; readonly values: Readonly<Record<string, unknown>> }) | (null); readonly measurements: Readonly<Record<string, number>>; readonly streak: number; readonly alerting: boolean; readonly thresholds: { readonly direction: "above" | "below"; readonly warning: (number) | (null); readonly critical: (number) | (null) }; readonly interval_s: number; readonly timeout_s: number; readonly failures: number; readonly successes: number; readonly definition: ({ readonly type: "http"; readonly url: string; readonly expect?: ReadonlyArray<unknown>; readonly contains?: string }) | ({ readonly type: "tcp"; readonly host: string; readonly port: number }) | ({ readonly type: "certificate"; readonly host: string; readonly port: number; readonly servername?: string }) | ({ readonly type: "command"; readonly program: string; readonly arguments?: ReadonlyArray<unknown> }) | (null) }
export type CheckIsBuiltIn = { readonly detail?: string; readonly instance?: string; readonly code: "check_is_built_in"; readonly type: "urn:signalbox:problem:check_is_built_in"; readonly status?: 409; readonly title?: "This check is built in; disable it instead" }
export type TooManyChecks = { readonly detail?: string; readonly instance?: string; readonly code: "too_many_checks"; readonly type: "urn:signalbox:problem:too_many_checks"; readonly status?: 409; readonly title?: "There are too many checks" }
export type CheckNameTaken = { readonly detail?: string; readonly instance?: string; readonly code: "check_name_taken"; readonly type: "urn:signalbox:problem:check_name_taken"; readonly status?: 409; readonly title?: "Another check has this name" }
export type MonitoringCheckWithHistory = { readonly id: number; readonly key: string; readonly kind: "container" | "engine" | "mail_queue" | "disk" | "inodes" | "certificate" | "memory" | "load" | "clock" | "unit" | "postgres" | "connections" | "transaction" | "dead_rows" | "replication" | "daemon" | "backup" | "http" | "tcp" | "command"; readonly origin: "built_in" | "operator"; readonly host: (string) | (null); readonly group: string; readonly enabled: boolean; readonly status: "pending" | "ok" | "warning" | "critical" | "unknown"; readonly since: (string) | (null); readonly checked_at: (string) | (null); readonly duration_ms: (number) | (null); readonly value: (number) | (null); readonly unit: (string) | (null); readonly detail: string; readonly detail_de: string; readonly result: ({ readonly code: string; readonly values: Readonly<Record<string, unknown>> }) | (null); readonly measurements: Readonly<Record<string, number>>; readonly streak: number; readonly alerting: boolean; readonly thresholds: { readonly direction: "above" | "below"; readonly warning: (number) | (null); readonly critical: (number) | (null) }; readonly interval_s: number; readonly timeout_s: number; readonly failures: number; readonly successes: number; readonly definition: ({ readonly type: "http"; readonly url: string; readonly expect?: ReadonlyArray<unknown>; readonly contains?: string }) | ({ readonly type: "tcp"; readonly host: string; readonly port: number }) | ({ readonly type: "certificate"; readonly host: string; readonly port: number; readonly servername?: string }) | ({ readonly type: "command"; readonly program: string; readonly arguments?: ReadonlyArray<unknown> }) | (null); readonly resolution_s: number; readonly history: ReadonlyArray<MonitoringPoint> }
export type MonitoringPoint = { readonly at: string; readonly status: "pending" | "ok" | "warning" | "critical" | "unknown"; readonly value: (number) | (null); readonly min: (number) | (null); readonly max: (number) | (null) }
export type SecurityExemption = { readonly id: number; readonly address: string; readonly since: string; readonly until: string; readonly reason: (string) | (null); readonly created_by: string }
export type SecuritySummary = { readonly crowdsec: CrowdSecState; readonly from: string; readonly active: { readonly own: number; readonly crowdsec: number }; readonly exemptions: number; readonly offences: { readonly own: number; readonly crowdsec: number }; readonly by_rule: ReadonlyArray<{ readonly rule: string; readonly source: "own" | "crowdsec"; readonly active: number; readonly offences: number }>; readonly by_day: ReadonlyArray<{ readonly day: string; readonly own: number; readonly crowdsec: number }>; readonly top_addresses: ReadonlyArray<{ readonly address: string; readonly offences: number; readonly last_at: string; readonly banned: boolean }> }
export type CrowdSecState = { readonly state: "unconfigured" | "ok" | "away"; readonly as_of: (string) | (null); readonly problem: (string) | (null); readonly truncated: boolean }
export type SecurityAlert = { readonly id: number; readonly source: "own" | "crowdsec"; readonly kind: "ban" | "lift" | "exemption" | "exemption_end" | "offence"; readonly rule: string; readonly address: string; readonly at: string; readonly until: (string) | (null); readonly events: (number) | (null); readonly reason: (string) | (null); readonly country: (string) | (null); readonly network: (string) | (null) }
export type CrowdSecFailed = { readonly detail?: string; readonly instance?: string; readonly code: "crowdsec_failed"; readonly type: "urn:signalbox:problem:crowdsec_failed"; readonly status?: 502; readonly title?: "CrowdSec did not take the change" }
export type SecurityLift = { readonly address: string; readonly lifted: number; readonly exemption: (SecurityExemption) | (null) }
export type SecurityDecision = { readonly id: number; readonly source: "own" | "crowdsec"; readonly origin: string; readonly rule: string; readonly address: string; readonly since: string; readonly until: string; readonly reason: (string) | (null); readonly exempted_until: (string) | (null); readonly stale: boolean }
export type NotConfigured = { readonly detail?: string; readonly instance?: string; readonly code: "not_configured"; readonly settings: ReadonlyArray<string>; readonly type: "urn:signalbox:problem:not_configured"; readonly status?: 409; readonly title?: "A required setting is missing" }
export type BackupJob = { readonly id: string; readonly seq: number; readonly work: "backup" | "drill" | "restore"; readonly state: "waiting" | "running" | "done" | "failed" | "lost"; readonly type: "full" | "databases" | "files" | "configuration"; readonly schedule_id: (number) | (null); readonly schedule: (string) | (null); readonly firing: (string) | (null); readonly requested_by: string; readonly step: (string) | (null); readonly done: (number) | (null); readonly total: (number) | (null); readonly snapshot: (string) | (null); readonly size: (number) | (null); readonly added: (number) | (null); readonly files: (number) | (null); readonly left_out: ReadonlyArray<{ readonly what: string; readonly reason: string }>; readonly report: ({ readonly snapshot: string; readonly backup_time: string; readonly ok: boolean; readonly checks: ReadonlyArray<{ readonly check: string; readonly ok: boolean; readonly detail: string; readonly duration_ms: number }>; readonly restored_bytes: (number); readonly real_restore_ms: number }) | (null); readonly problem: (string) | (null); readonly created_at: string; readonly started_at: (string) | (null); readonly finished_at: (string) | (null); readonly duration_ms: (number) | (null) }
export type ScheduleNameTaken = { readonly detail?: string; readonly instance?: string; readonly code: "schedule_name_taken"; readonly type: "urn:signalbox:problem:schedule_name_taken"; readonly status?: 409; readonly title?: "Another schedule has this name" }
export type BackupSchedule = { readonly id: number; readonly name: string; readonly cron: string; readonly type: "full" | "databases" | "files" | "configuration"; readonly enabled: boolean; readonly next_run: (string) | (null); readonly last_firing: (string) | (null); readonly last_success: (string) | (null); readonly last_state: ("waiting" | "running" | "done" | "failed" | "lost") | (null); readonly last_problem: (string) | (null); readonly created_at: string; readonly updated_at: string }
export type RepositoryUnavailable = { readonly detail?: string; readonly instance?: string; readonly code: "repository_unavailable"; readonly type: "urn:signalbox:problem:repository_unavailable"; readonly status?: 503; readonly title?: "The backup repository cannot be read" }
export type BackupRetention = { readonly keep: { readonly daily: string; readonly weekly: string; readonly monthly: string }; readonly kept: ReadonlyArray<{ readonly id: string; readonly short_id: string; readonly time: string; readonly host: string; readonly paths: ReadonlyArray<string>; readonly type: ("full" | "databases" | "files" | "configuration") | (null); readonly schedule_id: (number) | (null); readonly schedule: (string) | (null); readonly job_id: (string) | (null); readonly size: (number) | (null); readonly added: (number) | (null); readonly files: (number) | (null); readonly duration_ms: (number) | (null); readonly left_out: ReadonlyArray<{ readonly what: string; readonly reason: string }>; readonly reasons: ReadonlyArray<string> }>; readonly removed: ReadonlyArray<Backup> }
export type Backup = { readonly id: string; readonly short_id: string; readonly time: string; readonly host: string; readonly paths: ReadonlyArray<string>; readonly type: ("full" | "databases" | "files" | "configuration") | (null); readonly schedule_id: (number) | (null); readonly schedule: (string) | (null); readonly job_id: (string) | (null); readonly size: (number) | (null); readonly added: (number) | (null); readonly files: (number) | (null); readonly duration_ms: (number) | (null); readonly left_out: ReadonlyArray<{ readonly what: string; readonly reason: string }> }
export type TooManyFollowers = { readonly detail?: string; readonly instance?: string; readonly code: "too_many_followers"; readonly type: "urn:signalbox:problem:too_many_followers"; readonly status?: 429; readonly title?: "Too many logs are followed at once" }
export type SourceUnavailable = { readonly detail?: string; readonly instance?: string; readonly code: "source_unavailable"; readonly source: "container" | "unit" | "daemon"; readonly type: "urn:signalbox:problem:source_unavailable"; readonly status?: 503; readonly title?: "The source of this service does not answer" }
export type NoLog = { readonly detail?: string; readonly instance?: string; readonly code: "no_log"; readonly type: "urn:signalbox:problem:no_log"; readonly status?: 409; readonly title?: "The log of this service cannot be read" }
export type ServiceLogLine = { readonly at: (string) | (null); readonly stream: "stdout" | "stderr" | "journal"; readonly level: ("error" | "warning" | "info" | "debug") | (null); readonly text: string; readonly cut: boolean }
export type NotRestartable = { readonly detail?: string; readonly instance?: string; readonly code: "not_restartable"; readonly settings: ReadonlyArray<string>; readonly type: "urn:signalbox:problem:not_restartable"; readonly status?: 409; readonly title?: "This service may not be restarted" }
export type ServiceRestart = { readonly restart_id: number; readonly service: string; readonly kind: "container" | "unit" | "daemon"; readonly state: "requested" | "running" | "succeeded" | "failed"; readonly requested_by: string; readonly reason: (string) | (null); readonly requested_at: string; readonly finished_at: (string) | (null); readonly problem: (string) | (null) }
export type SystemServiceDetails = { readonly name: string; readonly kind: "container" | "unit" | "daemon"; readonly state: "running" | "starting" | "stopped" | "failed" | "unknown"; readonly health: "healthy" | "degraded" | "unhealthy" | "starting" | "none"; readonly status: string; readonly description: string; readonly started_at: (string) | (null); readonly restarts: (number) | (null); readonly may_restart: boolean; readonly critical: boolean; readonly exit_code: (number) | (null); readonly oom_killed: boolean; readonly pid: (number) | (null); readonly memory_bytes: (number) | (null); readonly has_log: boolean; readonly problems: ReadonlyArray<string>; readonly gave_up: boolean; readonly recent_restarts: ReadonlyArray<ServiceRestart> }
export type ServiceSource = { readonly kind: "container" | "unit" | "daemon"; readonly status: "ok" | "down" | "unconfigured"; readonly detail: (string) | (null) }
export type SystemService = { readonly name: string; readonly kind: "container" | "unit" | "daemon"; readonly state: "running" | "starting" | "stopped" | "failed" | "unknown"; readonly health: "healthy" | "degraded" | "unhealthy" | "starting" | "none"; readonly status: string; readonly description: string; readonly started_at: (string) | (null); readonly restarts: (number) | (null); readonly may_restart: boolean; readonly critical: boolean }
export type MonitoringHeartbeat = { readonly name: string; readonly state: "alive" | "late"; readonly last_at: string; readonly timeout_s: number }
export type SilenceOver = { readonly detail?: string; readonly instance?: string; readonly code: "silence_over"; readonly type: "urn:signalbox:problem:silence_over"; readonly status?: 409; readonly title?: "This silence is over" }
export type MonitoringSilence = { readonly id: string; readonly seq: number; readonly key_pattern: (string) | (null); readonly group_pattern: (string) | (null); readonly reason: string; readonly state: "planned" | "active" | "over"; readonly starts_at: string; readonly ends_at: string; readonly alerts: number; readonly created_by: string; readonly created_at: string }
export type TooManySilences = { readonly detail?: string; readonly instance?: string; readonly code: "too_many_silences"; readonly type: "urn:signalbox:problem:too_many_silences"; readonly status?: 409; readonly title?: "Too many silences" }
export type MonitoringAlertRules = { readonly repeat_critical_minutes: ReadonlyArray<unknown>; readonly repeat_warning_minutes: ReadonlyArray<unknown>; readonly gather_s: number; readonly group_interval_s: number; readonly flap_changes: number; readonly flap_window_minutes: number }
export type MonitoringMessage = { readonly id: string; readonly kind: "opened" | "flapping" | "repeated" | "recovered" | "test"; readonly group: string; readonly alerts: number; readonly created_at: string; readonly deliveries: ReadonlyArray<MonitoringDelivery> }
export type MonitoringDelivery = { readonly way: "mail" | "messenger" | "webhook" | "app" | "alarm"; readonly state: "pending" | "sending" | "sent" | "uncertain" | "failed"; readonly attempts: number; readonly sent_at: (string) | (null); readonly problem: (string) | (null) }
export type AlertClosedAlready = { readonly detail?: string; readonly instance?: string; readonly code: "alert_closed"; readonly type: "urn:signalbox:problem:alert_closed"; readonly status?: 409; readonly title?: "This alert is closed" }
export type MonitoringAlert = { readonly id: string; readonly seq: number; readonly key: string; readonly group: string; readonly severity: "warning" | "critical"; readonly state: "open" | "closed"; readonly summary: string; readonly summary_de: string; readonly detail: (string) | (null); readonly detail_de: (string) | (null); readonly flapping: boolean; readonly changes: number; readonly opened_at: string; readonly closed_at: (string) | (null); readonly close_reason: ("recovered" | "removed") | (null); readonly told_at: (string) | (null); readonly repeats: number; readonly silence_id: (string) | (null); readonly maintenance_id: (string) | (null); readonly acknowledged_at: (string) | (null); readonly acknowledged_by: (string) | (null); readonly note: (string) | (null) }
export type MonitoringAlertDetail = { readonly id: string; readonly seq: number; readonly key: string; readonly group: string; readonly severity: "warning" | "critical"; readonly state: "open" | "closed"; readonly summary: string; readonly summary_de: string; readonly detail: (string) | (null); readonly detail_de: (string) | (null); readonly flapping: boolean; readonly changes: number; readonly opened_at: string; readonly closed_at: (string) | (null); readonly close_reason: ("recovered" | "removed") | (null); readonly told_at: (string) | (null); readonly repeats: number; readonly silence_id: (string) | (null); readonly maintenance_id: (string) | (null); readonly acknowledged_at: (string) | (null); readonly acknowledged_by: (string) | (null); readonly note: (string) | (null); readonly messages: ReadonlyArray<MonitoringMessage> }
export type WakeWordLanguage = { readonly language: string; readonly voices: number }
export type TrainingEnded = { readonly detail?: string; readonly instance?: string; readonly code: "training_ended"; readonly type: "urn:signalbox:problem:training_ended"; readonly status?: 409; readonly title?: "The training has ended" }
export type WakeWordTraining = { readonly id: string; readonly job_id: string; readonly seq: number; readonly tenant_id: number; readonly word: string; readonly language: string; readonly name: string; readonly seed: number; readonly size: "small" | "full"; readonly use_uploads: boolean; readonly state: "waiting" | "running" | "done" | "failed" | "cancelled"; readonly phase: ("samples_tts" | "samples_upload" | "augment" | "features" | "train" | "validate" | "save") | (null); readonly phases: ReadonlyArray<{ readonly phase: "samples_tts" | "samples_upload" | "augment" | "features" | "train" | "validate" | "save"; readonly progress: (number) }>; readonly position: (number) | (null); readonly attempts: number; readonly problem: (string) | (null); readonly requested_by: string; readonly created_at: string; readonly started_at: (string) | (null); readonly finished_at: (string) | (null) }
export type LanguageUnknown = { readonly detail?: string; readonly instance?: string; readonly code: "language_unknown"; readonly languages: ReadonlyArray<string>; readonly type: "urn:signalbox:problem:language_unknown"; readonly status?: 409; readonly title?: "No voice speaks this language" }
export type TrainingQuota = { readonly detail?: string; readonly instance?: string; readonly code: "training_quota"; readonly limit: number; readonly type: "urn:signalbox:problem:training_quota"; readonly status?: 409; readonly title?: "The tenant has too many open trainings" }
export type ModelNameTaken = { readonly detail?: string; readonly instance?: string; readonly code: "model_name_taken"; readonly type: "urn:signalbox:problem:model_name_taken"; readonly status?: 409; readonly title?: "Another model has this name" }
export type WakeWordSample = { readonly id: number; readonly tenant_id: number; readonly word: string; readonly name: string; readonly speaker: (string) | (null); readonly duration_ms: number; readonly original_rate: number; readonly created_by: string; readonly created_at: string }
export type WakeWordSamplesOfWord = { readonly word: string; readonly count: number; readonly speakers: number; readonly duration_ms: number; readonly newest_at: string; readonly samples: ReadonlyArray<WakeWordSample> }
export type SamplesFull = { readonly detail?: string; readonly instance?: string; readonly code: "samples_full"; readonly limit: number; readonly type: "urn:signalbox:problem:samples_full"; readonly status?: 409; readonly title?: "The tenant has too many recordings" }
export type UploadTooLarge = { readonly detail?: string; readonly instance?: string; readonly code: "payload_too_large"; readonly limit: number; readonly type: "urn:signalbox:problem:payload_too_large"; readonly status?: 413; readonly title?: "The body is too large" }
export type FilesRefused = { readonly detail?: string; readonly instance?: string; readonly code: "files_refused"; readonly refused: ReadonlyArray<{ readonly name: string; readonly reason: string }>; readonly type: "urn:signalbox:problem:files_refused"; readonly status?: 422; readonly title?: "No file can be used" }
export type WakeWordUpload = { readonly items: ReadonlyArray<WakeWordSample>; readonly refused: ReadonlyArray<{ readonly name: string; readonly reason: string }> }
export type ModelActive = { readonly detail?: string; readonly instance?: string; readonly code: "model_active"; readonly type: "urn:signalbox:problem:model_active"; readonly status?: 409; readonly title?: "The model is active" }
export type WakeWordModel = { readonly id: number; readonly tenant_id: number; readonly name: string; readonly word: string; readonly language: string; readonly threshold: (number); readonly active: boolean; readonly extractor: string; readonly sha256: string; readonly size: number; readonly seed: (number) | (null); readonly job_id: (string) | (null); readonly metrics: WakeWordMetrics; readonly gate: ReadonlyArray<string>; readonly created_at: string; readonly activated_at: (string) | (null) }
export type WakeWordMetrics = { readonly false_accepts_per_hour: (number) | (null); readonly miss_rate: (number) | (null); readonly negative_hours: (number); readonly false_accepts: number; readonly utterances: number; readonly misses: number; readonly voices: ReadonlyArray<string>; readonly uploads: number; readonly notes: ReadonlyArray<string> }
export type GateRefused = { readonly detail?: string; readonly instance?: string; readonly code: "gate_refused"; readonly reasons: ReadonlyArray<string>; readonly type: "urn:signalbox:problem:gate_refused"; readonly status?: 409; readonly title?: "The model does not reach the bounds for activation" }
export type WakeWordModelDetail = { readonly id: number; readonly tenant_id: number; readonly name: string; readonly word: string; readonly language: string; readonly threshold: (number); readonly active: boolean; readonly extractor: string; readonly sha256: string; readonly size: number; readonly seed: (number) | (null); readonly job_id: (string) | (null); readonly metrics: WakeWordMetrics; readonly gate: ReadonlyArray<string>; readonly created_at: string; readonly activated_at: (string) | (null); readonly curve: ReadonlyArray<{ readonly threshold: (number); readonly false_accepts_per_hour: (number); readonly miss_rate: (number) }> }
export type WakeWordStatus = { readonly state: "listening" | "no_model" | "unavailable"; readonly problem: (string) | (null); readonly model: (ActiveWakeWordModel) | (null); readonly websocket_url: (string) | (null); readonly ticket_expires_at: (string) | (null); readonly sample_rate: number; readonly frame_samples: number }
export type ActiveWakeWordModel = { readonly name: string; readonly word: string; readonly language: string; readonly threshold: (number); readonly extractor: string; readonly sha256: string }
export type ProvisioningAnswer = { readonly server_url: string; readonly plan: string; readonly features: ReadonlyArray<string>; readonly user: { readonly id: number; readonly email: string; readonly display_name: string; readonly locale: string }; readonly services: ReadonlyArray<ProvisionedService>; readonly booked: ProvisioningBooked }
export type ProvisioningBooked = { readonly modules: ReadonlyArray<ProvisioningModule>; readonly subscriptions: ReadonlyArray<ProvisioningSubscription>; readonly addons: ReadonlyArray<ProvisioningAddon> }
export type ProvisioningAddon = { readonly slug: string; readonly status: "active" | "trial" | "suspended" | "cancelled" | "expired"; readonly quantity: number }
export type ProvisioningSubscription = { readonly id: number; readonly status: "active" | "trial" | "suspended" | "cancelled" | "expired"; readonly package: { readonly id: number; readonly slug: string; readonly name: string; readonly type: string } }
export type ProvisioningModule = { readonly slug: string; readonly tier: (string) | (null); readonly status: "active" | "trial" | "suspended" | "cancelled" | "expired" }
export type ProvisionedService = { readonly slug: string; readonly feature: string; readonly name: string; readonly description: string; readonly icon: string; readonly booked: boolean; readonly is_base: boolean; readonly config?: Readonly<Record<string, unknown>> }
export type TooManyRetrievals = { readonly detail?: string; readonly instance?: string; readonly code: "too_many_requests"; readonly type: "urn:signalbox:problem:too_many_requests"; readonly status?: 429; readonly title?: "Too many requests; try again later" }
export type LinkGone = { readonly detail?: string; readonly instance?: string; readonly code: "link_gone"; readonly type: "urn:signalbox:problem:link_gone"; readonly status?: 404; readonly title?: "The link is not valid, or no longer valid" }
export type RevokedDevice = { readonly id: string; readonly revoked_at: string; readonly sip_password_changes: boolean; readonly affected_devices: ReadonlyArray<AffectedDevice> }
export type AffectedDevice = { readonly id: string; readonly name: string; readonly user_id: number }
export type ProvisionedDevice = { readonly id: string; readonly tenant_id: number; readonly user_id: number; readonly name: string; readonly features: ReadonlyArray<string>; readonly client_ip: string; readonly user_agent: (string) | (null); readonly created_at: string; readonly last_seen_at: (string) | (null); readonly revoked_at: (string) | (null); readonly token_id: (number) | (null); readonly shares_extension_with: ReadonlyArray<AffectedDevice> }
export type LinkMailFailed = { readonly detail?: string; readonly instance?: string; readonly code: "link_mail_failed"; readonly type: "urn:signalbox:problem:link_mail_failed"; readonly status?: 503; readonly title?: "The mail cannot be sent" }
export type ClientToken = { readonly id: number; readonly tenant_id: number; readonly user_id: number; readonly prefix: string; readonly label: (string) | (null); readonly state: "unused" | "used" | "expired" | "revoked"; readonly created_by: string; readonly created_at: string; readonly expires_at: string; readonly used_at: (string) | (null); readonly revoked_at: (string) | (null); readonly device_id: (string) | (null) }
export type TooManyTokens = { readonly detail?: string; readonly instance?: string; readonly code: "too_many_tokens"; readonly limit: number; readonly type: "urn:signalbox:problem:too_many_tokens"; readonly status?: 409; readonly title?: "The user has too many unused links" }
export type UserNotActive = { readonly detail?: string; readonly instance?: string; readonly code: "user_not_active"; readonly type: "urn:signalbox:problem:user_not_active"; readonly status?: 409; readonly title?: "The user is suspended" }
export type RoleExceeds_1 = { readonly detail?: string; readonly instance?: string; readonly code: "role_exceeds_own"; readonly permission: string; readonly type: "urn:signalbox:problem:role_exceeds_own"; readonly status?: 403; readonly title?: "The user may do more than you" }
export type NewClientToken = { readonly id: number; readonly tenant_id: number; readonly user_id: number; readonly prefix: string; readonly label: (string) | (null); readonly state: "unused" | "used" | "expired" | "revoked"; readonly created_by: string; readonly created_at: string; readonly expires_at: string; readonly used_at: (string) | (null); readonly revoked_at: (string) | (null); readonly device_id: (string) | (null); readonly link: string }
export type NoSuchPackage = { readonly detail?: string; readonly instance?: string; readonly code: "no_such_package"; readonly type: "urn:signalbox:problem:no_such_package"; readonly status?: 409; readonly title?: "The package does not exist" }
export type ProvisioningBookings = { readonly tenant_id: number; readonly plan: string; readonly base_domain: (string) | (null); readonly modules: ReadonlyArray<ProvisioningModule>; readonly subscriptions: ReadonlyArray<ProvisioningSubscription>; readonly addons: ReadonlyArray<ProvisioningAddon>; readonly services: ReadonlyArray<{ readonly slug: string; readonly booked: boolean; readonly reason: "base" | "no_bookings" | "module" | "package" | "not_booked" }> }
export type MappingExists = { readonly detail?: string; readonly instance?: string; readonly code: "mapping_exists"; readonly type: "urn:signalbox:problem:mapping_exists"; readonly status?: 409; readonly title?: "The mapping exists" }
export type ProvisioningMapping = { readonly id: number; readonly service: string; readonly module_slug: (string) | (null); readonly package_type: (string) | (null); readonly package_id: (number) | (null) }
export type PackageInUse = { readonly detail?: string; readonly instance?: string; readonly code: "package_in_use"; readonly type: "urn:signalbox:problem:package_in_use"; readonly status?: 409; readonly title?: "The package is in use" }
export type SlugTaken = { readonly detail?: string; readonly instance?: string; readonly code: "slug_taken"; readonly type: "urn:signalbox:problem:slug_taken"; readonly status?: 409; readonly title?: "The slug is taken" }
export type ProvisioningPackage = { readonly id: number; readonly slug: string; readonly name: string; readonly type: string }
export type ServiceIsBase = { readonly detail?: string; readonly instance?: string; readonly code: "service_is_base"; readonly type: "urn:signalbox:problem:service_is_base"; readonly status?: 409; readonly title?: "A base service cannot be deleted" }
export type ProvisioningService = { readonly slug: string; readonly name_i18n: Readonly<Record<string, string>>; readonly description_i18n: Readonly<Record<string, string>>; readonly icon: string; readonly config_template: Readonly<Record<string, unknown>>; readonly feature_slug: string; readonly is_base: boolean; readonly position: number; readonly updated_at: string }
export type PaymentWebhookEvent = { readonly id: string; readonly provider: "card" | "wallet"; readonly event_id: string; readonly type: (string) | (null); readonly signed: boolean; readonly state: "applied" | "unknown" | "failed"; readonly problem: (string) | (null); readonly payment_id: (string) | (null); readonly received_at: string; readonly body: string }
export type PaymentWebhookEventSummary = { readonly id: string; readonly provider: "card" | "wallet"; readonly event_id: string; readonly type: (string) | (null); readonly signed: boolean; readonly state: "applied" | "unknown" | "failed"; readonly problem: (string) | (null); readonly payment_id: (string) | (null); readonly received_at: string }
export type TooManyEvents = { readonly detail?: string; readonly instance?: string; readonly code: "too_many_requests"; readonly type: "urn:signalbox:problem:too_many_requests"; readonly status?: 429; readonly title?: "Too many events; try again later" }
export type NoWebhookSecret = { readonly detail?: string; readonly instance?: string; readonly code: "no_webhook_secret"; readonly settings: ReadonlyArray<string>; readonly type: "urn:signalbox:problem:no_webhook_secret"; readonly status?: 403; readonly title?: "No secret is configured for this payment provider" }
export type WrongSignature = { readonly detail?: string; readonly instance?: string; readonly code: "wrong_signature"; readonly type: "urn:signalbox:problem:wrong_signature"; readonly status?: 403; readonly title?: "The signature is missing or wrong" }
export type PaymentWebhookReceived = { readonly event_id: string; readonly outcome: "applied" | "unknown" | "failed" | "duplicate" }
export type BankDashboard = { readonly accounts: ReadonlyArray<{ readonly account_id: string; readonly name: string; readonly iban: string; readonly currency: string; readonly key_status: string; readonly stopped: (string) | (null); readonly balance: ({ readonly amount: string; readonly on: (string) | (null); readonly statement_id: string }) | (null); readonly intraday: ({ readonly amount: string; readonly on: (string) | (null); readonly statement_id: string }) | (null); readonly last_movement: (string) | (null); readonly unmatched: number; readonly findings: number; readonly last_fetch: ({ readonly id: string; readonly reason: string; readonly state: string; readonly problem: (string) | (null); readonly created_at: string; readonly finished_at: (string) | (null) }) | (null); readonly last_success: (string) | (null); readonly failing: ({ readonly failures: number; readonly since: (string) | (null); readonly retry_at: (string) | (null); readonly problem: (string) | (null) }) | (null) }>; readonly currencies: ReadonlyArray<{ readonly currency: string; readonly unmatched: { readonly count: number; readonly incoming: string; readonly outgoing: string }; readonly suggested: { readonly count: number; readonly incoming: string; readonly outgoing: string }; readonly open_invoices: { readonly count: number; readonly amount: string }; readonly overdue_invoices: { readonly count: number; readonly amount: string } }>; readonly unmatched: number; readonly suggested: number; readonly findings: number; readonly failed_files: number; readonly daily: ReadonlyArray<{ readonly day: string; readonly currency: string; readonly incoming: string; readonly outgoing: string; readonly transactions: number; readonly matched: number }>; readonly batch: (BankBatch) | (null) }
export type BankBatch = { readonly id: string; readonly tenant_id: number; readonly state: "waiting" | "running" | "finished" | "failed"; readonly transactions: { readonly total: (number) | (null); readonly done: number; readonly auto_matched: number; readonly suggested: number; readonly ignored: number; readonly unmatched: number }; readonly problem: (string) | (null); readonly requested_by: string; readonly created_at: string; readonly finished_at: (string) | (null) }
export type NotPossible = { readonly detail?: string; readonly instance?: string; readonly code: "match_not_possible"; readonly reason: "replaced" | "not_booked" | "invoice_not_open" | "more_than_open" | "more_than_transaction" | "wrong_direction" | "returned"; readonly invoice_id?: string; readonly type: "urn:signalbox:problem:match_not_possible"; readonly status?: 409; readonly title?: "The match is not possible" }
export type NothingToUndo = { readonly detail?: string; readonly instance?: string; readonly code: "nothing_to_undo"; readonly type: "urn:signalbox:problem:nothing_to_undo"; readonly status?: 409; readonly title?: "No decision can be undone" }
export type BankReconciliation = { readonly transaction_id: string; readonly reconciliation_status: "unmatched" | "suggested" | "auto_matched" | "manual_matched" | "ignored" | "partial"; readonly amount: string; readonly currency: string; readonly matched: string; readonly unassigned: string; readonly ignored_reason: (string) | (null); readonly ignored_text: (string) | (null); readonly version: number; readonly decision: (BankDecision) | (null); readonly can_undo: boolean }
export type BankDecision = { readonly id: string; readonly kind: "auto" | "manual" | "ignored"; readonly confidence: (number) | (null); readonly strategies: ReadonlyArray<string>; readonly reasons: ReadonlyArray<{ readonly code: string; readonly text: string; readonly number?: string; readonly days?: number; readonly until?: string; readonly count?: number; readonly rest?: string }>; readonly payment_id: (string) | (null); readonly allocations: ReadonlyArray<{ readonly invoice_id: string; readonly number: string; readonly customer_id: (number) | (null); readonly customer_name: (string) | (null); readonly amount: string; readonly discount: string; readonly open: string; readonly currency: string; readonly due_on: string }>; readonly note: (string) | (null); readonly decided_by: string; readonly decided_at: string }
export type AlreadyDecided = { readonly detail?: string; readonly instance?: string; readonly code: "already_decided"; readonly reconciliation_status: string; readonly type: "urn:signalbox:problem:already_decided"; readonly status?: 409; readonly title?: "The transaction is decided already" }
export type CurrencyDiffers = { readonly detail?: string; readonly instance?: string; readonly code: "currency_differs"; readonly invoice_id: string; readonly currency: string; readonly type: "urn:signalbox:problem:currency_differs"; readonly status?: 409; readonly title?: "The currencies differ" }
export type BankSuggestion = { readonly position: number; readonly confidence: number; readonly strategies: ReadonlyArray<"reference" | "amount_date" | "counter_iban" | "fuzzy">; readonly reasons: ReadonlyArray<{ readonly code: string; readonly text: string; readonly number?: string; readonly days?: number; readonly until?: string; readonly count?: number; readonly rest?: string }>; readonly allocations: ReadonlyArray<{ readonly invoice_id: string; readonly number: string; readonly customer_id: (number) | (null); readonly customer_name: (string) | (null); readonly amount: string; readonly discount: string; readonly open: string; readonly currency: string; readonly due_on: string }>; readonly unassigned: string }
export type PaymentMatched = { readonly detail?: string; readonly instance?: string; readonly code: "payment_matched"; readonly transaction_id: string; readonly type: "urn:signalbox:problem:payment_matched"; readonly status?: 409; readonly title?: "The payment belongs to a bank transaction; undo the match instead" }
export type PaymentReturned = { readonly detail?: string; readonly instance?: string; readonly code: "payment_returned"; readonly payment_id: string; readonly type: "urn:signalbox:problem:payment_returned"; readonly status?: 409; readonly title?: "The payment was returned; undo the return first" }
export type BankPayment = { readonly id: string; readonly tenant_id: number; readonly customer_id: (number) | (null); readonly customer_number: (string) | (null); readonly customer_name: (string) | (null); readonly external_id: (string) | (null); readonly source: "bank" | "manual" | "card" | "wallet"; readonly transaction_id: (string) | (null); readonly returns: (string) | (null); readonly amount: string; readonly unassigned: string; readonly currency: string; readonly paid_on: string; readonly note: (string) | (null); readonly state: "active" | "undone"; readonly allocations: ReadonlyArray<{ readonly invoice_id: string; readonly invoice_number: string; readonly amount: string; readonly discount: string }>; readonly created_at: string; readonly updated_at: string }
export type PaymentDiffers = { readonly detail?: string; readonly instance?: string; readonly code: "payment_differs"; readonly payment_id: string; readonly type: "urn:signalbox:problem:payment_differs"; readonly status?: 409; readonly title?: "A payment with this external id has other content" }
export type SettlementRefused = { readonly detail?: string; readonly instance?: string; readonly code: "settlement_refused"; readonly reason: "unknown_invoice" | "cancelled" | "other_currency" | "too_much" | "wrong_sign" | "more_than_payment" | "named_twice" | "nothing" | "already_paid"; readonly invoice_id: (string) | (null); readonly type: "urn:signalbox:problem:settlement_refused"; readonly status?: 409; readonly title?: "The payment cannot settle these invoices like this" }
export type BankPaymentPut = { readonly outcome: "created" | "unchanged"; readonly payment: BankPayment }
export type BankImport_1 = { readonly id: string; readonly tenant_id: number; readonly state: "waiting" | "running" | "finished"; readonly rows: { readonly total: (number) | (null); readonly done: number; readonly created: number; readonly changed: number; readonly unchanged: number; readonly failed: number }; readonly errors: ReadonlyArray<{ readonly line: number; readonly message: string }>; readonly created_at: string; readonly finished_at: (string) | (null) }
export type ExternalIdTaken = { readonly detail?: string; readonly instance?: string; readonly code: "external_id_taken"; readonly id: string; readonly type: "urn:signalbox:problem:external_id_taken"; readonly status?: 409; readonly title?: "The external id is in use" }
export type InvoiceSettled = { readonly detail?: string; readonly instance?: string; readonly code: "invoice_settled"; readonly type: "urn:signalbox:problem:invoice_settled"; readonly status?: 409; readonly title?: "Payments settled this invoice or a part of it" }
export type BankInvoice = { readonly id: string; readonly tenant_id: number; readonly customer_id: (number) | (null); readonly customer_number: (string) | (null); readonly customer_name: (string) | (null); readonly external_id: (string) | (null); readonly number: string; readonly kind: "invoice" | "credit_note"; readonly amount: string; readonly settled: string; readonly discounted: string; readonly open: string; readonly currency: string; readonly issued_on: string; readonly due_on: string; readonly overdue: boolean; readonly discount: ({ readonly until: string; readonly amount: string }) | (null); readonly status: "open" | "partial" | "paid" | "cancelled"; readonly note: (string) | (null); readonly created_at: string; readonly updated_at: string; readonly payments: ReadonlyArray<{ readonly payment_id: string; readonly source: "bank" | "manual" | "card" | "wallet"; readonly paid_on: string; readonly amount: string; readonly discount: string; readonly state: "active" | "undone" }> }
export type InvoiceCancelled = { readonly detail?: string; readonly instance?: string; readonly code: "invoice_cancelled"; readonly type: "urn:signalbox:problem:invoice_cancelled"; readonly status?: 409; readonly title?: "The invoice is cancelled" }
export type InvoiceNumberTaken = { readonly detail?: string; readonly instance?: string; readonly code: "invoice_number_taken"; readonly invoice_id: string; readonly type: "urn:signalbox:problem:invoice_number_taken"; readonly status?: 409; readonly title?: "Another invoice has this number" }
export type BankInvoicePut = { readonly outcome: "created" | "changed" | "unchanged"; readonly invoice: BankInvoice }
export type BankInvoiceSummary = { readonly id: string; readonly tenant_id: number; readonly customer_id: (number) | (null); readonly customer_number: (string) | (null); readonly customer_name: (string) | (null); readonly external_id: (string) | (null); readonly number: string; readonly kind: "invoice" | "credit_note"; readonly amount: string; readonly settled: string; readonly discounted: string; readonly open: string; readonly currency: string; readonly issued_on: string; readonly due_on: string; readonly overdue: boolean; readonly discount: ({ readonly until: string; readonly amount: string }) | (null); readonly status: "open" | "partial" | "paid" | "cancelled"; readonly note: (string) | (null); readonly created_at: string; readonly updated_at: string }
export type BankCustomer = { readonly customer_id: number; readonly tenant_id: number; readonly number: string; readonly name: string; readonly ibans: ReadonlyArray<string> }
export type BankTransaction = { readonly id: string; readonly tenant_id: number; readonly account_id: (string) | (null); readonly statement_id: string; readonly amount: string; readonly currency: string; readonly booking_status: "booked" | "pending" | "information"; readonly booked_on: string; readonly value_on: (string) | (null); readonly reversal: boolean; readonly text: string; readonly end_to_end_id: (string) | (null); readonly creditor_reference: (string) | (null); readonly mandate_id: (string) | (null); readonly creditor_id: (string) | (null); readonly bank_reference: (string) | (null); readonly counter_name: (string) | (null); readonly counter_iban: (string) | (null); readonly counter_bic: (string) | (null); readonly gvc: (string) | (null); readonly code: Readonly<Record<string, string>>; readonly purpose: (string) | (null); readonly return_reason: (string) | (null); readonly current: boolean; readonly replaced_by: (string) | (null); readonly reconciliation_status: "unmatched" | "suggested" | "auto_matched" | "manual_matched" | "ignored" | "partial"; readonly matched: string; readonly suggestion: (unknown) | (null); readonly ignored_reason: (string) | (null); readonly version: number; readonly created_at: string; readonly updated_at: string }
export type BankFile = { readonly id: string; readonly tenant_id: number; readonly account_id: (string) | (null); readonly source: "ebics" | "import"; readonly order_type: (string) | (null); readonly name: string; readonly sha256: string; readonly size: number; readonly state: "waiting" | "parsed" | "failed" | "removed"; readonly problem: ({ readonly code: "malformed" | "bad_amount" | "bad_date" | "too_large" | "unknown_format" | "not_readable"; readonly message: string }) | (null); readonly statements: number; readonly known_statements: number; readonly received_at: string; readonly parsed_at: (string) | (null); readonly keep_until: string }
export type BankStatement = { readonly id: string; readonly tenant_id: number; readonly account_id: (string) | (null); readonly file_id: string; readonly kind: "end_of_day" | "intraday"; readonly format: string; readonly bank_id: string; readonly number: (number) | (null); readonly page: (number) | (null); readonly iban: (string) | (null); readonly currency: (string) | (null); readonly from_date: (string) | (null); readonly to_date: (string) | (null); readonly opening: (string) | (null); readonly opening_on: (string) | (null); readonly closing: (string) | (null); readonly closing_on: (string) | (null); readonly transactions: number; readonly state: "current" | "replaced"; readonly replaced_by: (string) | (null); readonly findings: ReadonlyArray<BankFinding>; readonly bank_created_at: (string) | (null); readonly imported_at: string }
export type BankFinding = { readonly code: "unknown_account" | "same_number_again" | "number_gap" | "balance_break" | "sum_differs" | "details_do_not_sum" | "details_elsewhere" | "currency_differs" | "matched_booking_vanished"; readonly values: Readonly<Record<string, (string) | (number)>>; readonly message: string }
export type TooManyImports = { readonly detail?: string; readonly instance?: string; readonly code: "too_many_imports"; readonly type: "urn:signalbox:problem:too_many_imports"; readonly status?: 429; readonly title?: "Too much was imported" }
export type TooLarge_1 = { readonly detail?: string; readonly instance?: string; readonly code: "payload_too_large"; readonly limit: number; readonly type: "urn:signalbox:problem:payload_too_large"; readonly status?: 413; readonly title?: "The body is too large" }
export type NotRead = { readonly detail?: string; readonly instance?: string; readonly code: "not_a_bank_file"; readonly type: "urn:signalbox:problem:not_a_bank_file"; readonly status?: 422; readonly title?: "The body is not a file with bank statements" }
export type BankImport = { readonly files: ReadonlyArray<{ readonly duplicate: boolean; readonly file: BankFile }> }
export type BankFetch = { readonly id: string; readonly seq: number; readonly tenant_id: number; readonly account_id: string; readonly reason: "daily" | "intraday" | "manual"; readonly scheduled_for: (string) | (null); readonly from_date: (string) | (null); readonly to_date: (string) | (null); readonly state: "waiting" | "running" | "done" | "empty" | "failed"; readonly orders: ReadonlyArray<BankFetchOrder>; readonly attempts: number; readonly problem: (string) | (null); readonly retry_at: (string) | (null); readonly requested_by: string; readonly created_at: string; readonly finished_at: (string) | (null) }
export type BankFetchOrder = { readonly order_type: string; readonly state: "waiting" | "downloading" | "storing" | "confirming" | "done" | "empty" | "not_permitted" | "failed"; readonly segments: (number) | (null); readonly segments_received: number; readonly files: number; readonly new_files: number; readonly confirmed: (boolean) | (null); readonly code: (string) | (null); readonly problem: (string) | (null) }
export type TooManyFetches = { readonly detail?: string; readonly instance?: string; readonly code: "too_many_fetches"; readonly type: "urn:signalbox:problem:too_many_fetches"; readonly status?: 429; readonly title?: "Too many fetches were requested" }
export type AccountNotReady = { readonly detail?: string; readonly instance?: string; readonly code: "account_not_ready"; readonly type: "urn:signalbox:problem:account_not_ready"; readonly status?: 409; readonly title?: "Statements of this account cannot be fetched now" }
export type WrongStep = { readonly detail?: string; readonly instance?: string; readonly code: "wrong_step"; readonly key_status: "pending" | "keys_generated" | "ini_sent" | "hia_sent" | "active" | "suspended"; readonly next: (string) | (null); readonly type: "urn:signalbox:problem:wrong_step"; readonly status?: 409; readonly title?: "The step does not follow the present key status" }
export type BankKeyStatus = { readonly account_id: string; readonly key_status: "pending" | "keys_generated" | "ini_sent" | "hia_sent" | "active" | "suspended"; readonly next: ("configure" | "init" | "ini" | "hia" | "activate" | "accept" | "unlock" | "resume" | "reactivate") | (null); readonly ready: boolean; readonly stopped: (string) | (null); readonly ebics_version: ("H004" | "H005") | (null); readonly signature_version: "A005" | "A006"; readonly digest_kind: "key" | "certificate"; readonly with_passphrase: boolean; readonly locked: boolean; readonly own_keys: ReadonlyArray<BankOwnKey>; readonly bank_keys: { readonly accepted: ({ readonly authentication: BankKey; readonly encryption: BankKey }) | (null); readonly offered: ({ readonly authentication: BankKey; readonly encryption: BankKey }) | (null) }; readonly keys_created_at: (string) | (null); readonly ini_sent_at: (string) | (null); readonly hia_sent_at: (string) | (null); readonly activated_at: (string) | (null); readonly last_answer: (BankAnswer) | (null) }
export type BankAnswer = { readonly step: string; readonly code: (string) | (null); readonly symbol: (string) | (null); readonly text: string; readonly at: string }
export type BankKey = { readonly version: "X002" | "E002"; readonly hash: ReadonlyArray<string>; readonly certificate_hash: (ReadonlyArray<string>) | (null); readonly fetched_at: string; readonly accepted_at: (string) | (null); readonly accepted_by: (string) | (null) }
export type BankOwnKey = { readonly version: string; readonly bits: number; readonly hash: ReadonlyArray<string>; readonly certificate_hash: ReadonlyArray<string>; readonly certificate_until: string; readonly created_at: string }
export type StepUnderWay = { readonly detail?: string; readonly instance?: string; readonly code: "step_under_way"; readonly type: "urn:signalbox:problem:step_under_way"; readonly status?: 409; readonly title?: "A step of this account is under way" }
export type PassphraseMissing = { readonly detail?: string; readonly instance?: string; readonly code: "keys_locked"; readonly type: "urn:signalbox:problem:keys_locked"; readonly status?: 409; readonly title?: "The keys of this account wait for their passphrase" }
export type AccountUnfit = { readonly detail?: string; readonly instance?: string; readonly code: "account_unfit"; readonly reason: string; readonly type: "urn:signalbox:problem:account_unfit"; readonly status?: 409; readonly title?: "The account is not in a condition for this" }
export type BankFailed = { readonly detail?: string; readonly instance?: string; readonly code: "bank_failed"; readonly retryable: boolean; readonly type: "urn:signalbox:problem:bank_failed"; readonly status?: 502; readonly title?: "The bank did not answer as EBICS requires" }
export type BankRefused = { readonly detail?: string; readonly instance?: string; readonly code: "bank_refused"; readonly bank_code: string; readonly symbol: string; readonly type: "urn:signalbox:problem:bank_refused"; readonly status?: 409; readonly title?: "The bank refused the request" }
export type HashesDiffer = { readonly detail?: string; readonly instance?: string; readonly code: "hashes_differ"; readonly differing: ReadonlyArray<"authentication" | "encryption">; readonly type: "urn:signalbox:problem:hashes_differ"; readonly status?: 409; readonly title?: "The hashes are not those of the bank's keys" }
export type BankAccount = { readonly id: string; readonly seq: number; readonly tenant_id: number; readonly name: string; readonly iban: string; readonly bic: (string) | (null); readonly currency: string; readonly holder: (string) | (null); readonly host_id: (string) | (null); readonly partner_id: (string) | (null); readonly user_id: (string) | (null); readonly server_url: (string) | (null); readonly ebics_version: ("H004" | "H005") | (null); readonly signature_version: "A005" | "A006"; readonly key_bits: number; readonly digest_kind: "key" | "certificate"; readonly key_status: "pending" | "keys_generated" | "ini_sent" | "hia_sent" | "active" | "suspended"; readonly ready: boolean; readonly stopped: (string) | (null); readonly order_types: (ReadonlyArray<BankOrder>) | (null); readonly permitted: (BankPermissions) | (null); readonly daily_schedule: (string) | (null); readonly intraday_schedule: (string) | (null); readonly fetch_enabled: boolean; readonly active: boolean; readonly created_at: string; readonly updated_at: string }
export type BankPermissions = { readonly order_types: ReadonlyArray<string>; readonly services: ReadonlyArray<BankService>; readonly available: ({ readonly order_types: ReadonlyArray<string>; readonly services: ReadonlyArray<BankService> }) | (null); readonly accounts: ReadonlyArray<{ readonly iban: (string) | (null); readonly currency: (string) | (null); readonly holder: (string) | (null) }>; readonly fetched_at: string }
export type BankService = { readonly name: string; readonly scope?: string; readonly option?: string; readonly container?: "SVC" | "XML" | "ZIP"; readonly message: string; readonly message_version?: string; readonly message_variant?: string; readonly message_format?: string }
export type BankOrder = { readonly order: string; readonly kind: "daily" | "intraday"; readonly service?: BankService }
export type IbanTaken = { readonly detail?: string; readonly instance?: string; readonly code: "iban_taken"; readonly type: "urn:signalbox:problem:iban_taken"; readonly status?: 409; readonly title?: "Another active account has this IBAN" }
export type KeysInUse = { readonly detail?: string; readonly instance?: string; readonly code: "keys_in_use"; readonly fields: ReadonlyArray<string>; readonly type: "urn:signalbox:problem:keys_in_use"; readonly status?: 409; readonly title?: "The bank already has the keys of this account" }
export type BankAccountUpdate = { readonly name?: string; readonly bic?: (string) | (null); readonly holder?: (string) | (null); readonly host_id?: (string) | (null); readonly partner_id?: (string) | (null); readonly user_id?: (string) | (null); readonly server_url?: (string) | (null); readonly ebics_version?: ("H004" | "H005") | (null); readonly signature_version?: "A005" | "A006"; readonly key_bits?: 2048 | 3072 | 4096; readonly digest_kind?: "key" | "certificate"; readonly order_types?: (ReadonlyArray<BankOrder>) | (null); readonly daily_schedule?: (string) | (null); readonly intraday_schedule?: (string) | (null); readonly fetch_enabled?: boolean }
export type BankAccountCreate = { readonly name: string; readonly iban: string; readonly currency?: string; readonly bic?: (string) | (null); readonly holder?: (string) | (null); readonly host_id?: (string) | (null); readonly partner_id?: (string) | (null); readonly user_id?: (string) | (null); readonly server_url?: (string) | (null); readonly ebics_version?: ("H004" | "H005") | (null); readonly signature_version?: "A005" | "A006"; readonly key_bits?: 2048 | 3072 | 4096; readonly digest_kind?: "key" | "certificate"; readonly order_types?: (ReadonlyArray<BankOrder>) | (null); readonly daily_schedule?: (string) | (null); readonly intraday_schedule?: (string) | (null); readonly fetch_enabled?: boolean; readonly tenant_id?: number }
export type TranslationImport = { readonly changed: number; readonly unchanged: number; readonly refused: number; readonly problems: ReadonlyArray<{ readonly at: string; readonly message: string }> }
export type TranslationRebuild = { readonly id: string; readonly locale: (string) | (null); readonly state: "waiting" | "running" | "done" | "failed" | "cancelled"; readonly total: number; readonly translated: number; readonly kept: number; readonly uncertain: number; readonly problem: (string) | (null); readonly problem_code: ("not_configured" | "not_reached" | "no_answer" | "slow_down" | "forbidden" | "refused" | "failed" | "unexpected_answer") | (null); readonly problem_detail: (string) | (null); readonly requested_by: string; readonly created_at: string; readonly finished_at: (string) | (null) }
export type RebuildActive = { readonly detail?: string; readonly instance?: string; readonly code: "rebuild_active"; readonly type: "urn:signalbox:problem:rebuild_active"; readonly status?: 409; readonly title?: "A rebuild is under way" }
export type LanguageEntry = { readonly code: string; readonly label: string }
export type TextChange = { readonly id: number; readonly locale: string; readonly key: string; readonly kind: "override" | "reverted" | "shipped" | "automatic" | "forgotten" | "imported"; readonly before: (string) | (null); readonly after: (string) | (null); readonly actor: string; readonly at: string }
export type TooManyTexts = { readonly detail?: string; readonly instance?: string; readonly code: "too_many_texts"; readonly type: "urn:signalbox:problem:too_many_texts"; readonly status?: 409; readonly title?: "There are too many languages or keys" }
export type InvalidMessage = { readonly detail?: string; readonly instance?: string; readonly code: "invalid_message"; readonly placeholders: ReadonlyArray<string>; readonly type: "urn:signalbox:problem:invalid_message"; readonly status?: 422; readonly title?: "The text is not a valid message" }
export type Translation = { readonly locale: string; readonly key: string; readonly value: string; readonly auto_translated: boolean; readonly stale: boolean; readonly source_hash: string }
export type TranslatedText = { readonly key: string; readonly source: string; readonly value: (string) | (null); readonly state: "stale" | "missing" | "automatic" | "manual"; readonly overridden: boolean; readonly auto_translated: boolean; readonly source_hash: string; readonly updated_at: string }
export type LanguageRequired = { readonly detail?: string; readonly instance?: string; readonly code: "language_required"; readonly type: "urn:signalbox:problem:language_required"; readonly status?: 409; readonly title?: "The language cannot be removed" }
export type Language = { readonly code: string; readonly label: string }
export type LanguageExists = { readonly detail?: string; readonly instance?: string; readonly code: "language_exists"; readonly type: "urn:signalbox:problem:language_exists"; readonly status?: 409; readonly title?: "The language exists already" }
export type TranslationStatistics = { readonly total_keys: number; readonly languages: ReadonlyArray<{ readonly code: string; readonly label: string; readonly total: number; readonly translated: number; readonly auto: number; readonly manual: number; readonly stale: number }> }
export type PlanClosed = { readonly detail?: string; readonly instance?: string; readonly code: "plan_closed"; readonly state: string; readonly type: "urn:signalbox:problem:plan_closed"; readonly status?: 409; readonly title?: "This plan can no longer be changed" }
export type DnsPlan = { readonly id: string; readonly domain_id: number; readonly reason: string; readonly actor: string; readonly state: "planned" | "stopped" | "applying" | "applied" | "failed" | "stale" | "discarded"; readonly zone_sets: number; readonly share: (number); readonly warnings: ReadonlyArray<{ readonly code: "foreign_replaced" | "foreign_extended" | "foreign_mx" | "foreign_dmarc" | "foreign_dkim" | "foreign_cname" | "cname_blocked" | "spf_twice" | "spf_broken" | "spf_lookups" | "left_out"; readonly type: string; readonly name: string; readonly detail: string; readonly foreign: boolean }>; readonly problem: (string) | (null); readonly created_at: string; readonly apply_after: (string) | (null); readonly begun_at: (string) | (null); readonly ended_at: (string) | (null); readonly steps: ReadonlyArray<DnsPlanStep> }
export type DnsPlanStep = { readonly position: number; readonly change: "create" | "replace" | "remove"; readonly type: string; readonly name: string; readonly ttl: (number) | (null); readonly before: (ReadonlyArray<string>) | (null); readonly after: (ReadonlyArray<string>) | (null); readonly reason: string; readonly state: "pending" | "attempting" | "done" | "failed" | "uncertain" | "skipped"; readonly problem: (string) | (null); readonly ended_at: (string) | (null) }
export type PlanUnderWay = { readonly detail?: string; readonly instance?: string; readonly code: "plan_under_way"; readonly type: "urn:signalbox:problem:plan_under_way"; readonly status?: 409; readonly title?: "A plan is being applied" }
export type PlanStopped = { readonly detail?: string; readonly instance?: string; readonly code: "plan_stopped"; readonly share: (number); readonly type: "urn:signalbox:problem:plan_stopped"; readonly status?: 409; readonly title?: "This plan changes a large part of the zone" }
export type NotManaged = { readonly detail?: string; readonly instance?: string; readonly code: "not_managed"; readonly type: "urn:signalbox:problem:not_managed"; readonly status?: 409; readonly title?: "The DNS of this domain is not managed here" }
export type DnsPlanSummary = { readonly id: string; readonly domain_id: number; readonly reason: string; readonly actor: string; readonly state: "planned" | "stopped" | "applying" | "applied" | "failed" | "stale" | "discarded"; readonly zone_sets: number; readonly share: (number); readonly warnings: ReadonlyArray<{ readonly code: "foreign_replaced" | "foreign_extended" | "foreign_mx" | "foreign_dmarc" | "foreign_dkim" | "foreign_cname" | "cname_blocked" | "spf_twice" | "spf_broken" | "spf_lookups" | "left_out"; readonly type: string; readonly name: string; readonly detail: string; readonly foreign: boolean }>; readonly problem: (string) | (null); readonly created_at: string; readonly apply_after: (string) | (null); readonly begun_at: (string) | (null); readonly ended_at: (string) | (null); readonly steps_total: number; readonly steps_done: number }
export type ProviderFailed = { readonly detail?: string; readonly instance?: string; readonly code: "provider_failed"; readonly reason: string; readonly retry_after: (number) | (null); readonly type: "urn:signalbox:problem:provider_failed"; readonly status?: 502; readonly title?: "The DNS provider refused or failed" }
export type DomainPending = { readonly detail?: string; readonly instance?: string; readonly code: "domain_pending"; readonly type: "urn:signalbox:problem:domain_pending"; readonly status?: 409; readonly title?: "The ownership of the domain is not proven yet" }
export type NoAdapter = { readonly detail?: string; readonly instance?: string; readonly code: "no_adapter"; readonly type: "urn:signalbox:problem:no_adapter"; readonly status?: 409; readonly title?: "This provider type has no adapter" }
export type DnsZone = { readonly id: string; readonly name: string; readonly domains: ReadonlyArray<{ readonly id: number; readonly name: string }> }
export type DnsProviderTest = { readonly ok: boolean; readonly zones: (number) | (null); readonly reason: (string) | (null); readonly problem: (string) | (null); readonly tested_at: string }
export type ProviderInUse = { readonly detail?: string; readonly instance?: string; readonly code: "in_use"; readonly count: number; readonly domains: ReadonlyArray<{ readonly id: number; readonly name: string }>; readonly type: "urn:signalbox:problem:in_use"; readonly status?: 409; readonly title?: "Domains use this account" }
export type DnsProvider = { readonly id: number; readonly tenant_id: number; readonly customer_id: number; readonly name: string; readonly type: "provider_a" | "provider_b" | "provider_c" | "provider_d" | "provider_e" | "manual"; readonly has_credentials: boolean; readonly is_default: boolean; readonly tested_at: (string) | (null); readonly test_problem: (string) | (null); readonly created_at: string; readonly updated_at: string }
export type DnsProviderCredentials = { readonly api_token?: string; readonly prefix?: string; readonly secret?: string; readonly url?: string; readonly api_key?: string; readonly server_id?: string }
export type DnsProviderType = { readonly type: "provider_a" | "provider_b" | "provider_c" | "provider_d" | "provider_e" | "manual"; readonly title: string; readonly has_adapter: boolean; readonly credentials: ReadonlyArray<{ readonly name: string; readonly required: boolean; readonly secret: boolean; readonly doc: string }> }
export type DnsVerifyResult = { readonly id: number; readonly tenant_id: number; readonly customer_id: number; readonly name: string; readonly display_name: string; readonly mixed_scripts: boolean; readonly ownership: { readonly state: "pending" | "proven"; readonly challenge: ({ readonly type: "TXT"; readonly name: string; readonly content: string }) | (null) }; readonly dns_provider_id: (number) | (null); readonly dns_status: "manual" | "managed" | "credentials_missing" | "pending_verification" | "verified" | "error"; readonly status: "pending" | "active"; readonly detected_provider: (string) | (null); readonly zone: (string) | (null); readonly observed_at: (string) | (null); readonly verified_at: (string) | (null); readonly waiting_for?: ReadonlyArray<string>; readonly created_at: string; readonly updated_at: string; readonly verified: boolean; readonly required_records: ReadonlyArray<RequiredDnsRecord>; readonly verification_status: string; readonly findings: ReadonlyArray<DnsFinding>; readonly observation: ({ readonly domain: string; readonly at: string; readonly delegation: { readonly outcome: "delegated" | "absent" | "unknown"; readonly zone: (string) | (null); readonly servers: ReadonlyArray<{ readonly name: string; readonly address: (string) | (null) }> }; readonly dnssec: "signed" | "unsigned" | "bogus" | "unknown"; readonly asked: ReadonlyArray<{ readonly type: string; readonly name: string; readonly authorities: ReadonlyArray<{ readonly server: { readonly name: string; readonly address: (string) | (null) }; readonly said: { readonly outcome: "answer" | "nodata" | "nxdomain" | "servfail" | "refused" | "lame" | "cname_loop" | "timeout" | "unreachable" | "forbidden" | "malformed"; readonly values: ReadonlyArray<string>; readonly ttl: (number) | (null); readonly chain: ReadonlyArray<string> } }>; readonly resolvers: ReadonlyArray<{ readonly server: string; readonly said: { readonly outcome: "answer" | "nodata" | "nxdomain" | "servfail" | "refused" | "lame" | "cname_loop" | "timeout" | "unreachable" | "forbidden" | "malformed"; readonly values: ReadonlyArray<string>; readonly ttl: (number) | (null); readonly chain: ReadonlyArray<string> } }> }> }) | (null) }
export type DnsFinding = { readonly code: string; readonly severity: "info" | "warning" | "error"; readonly record: ({ readonly type: string; readonly name: string }) | (null); readonly text: string }
export type RequiredDnsRecord = { readonly type: string; readonly name: string; readonly content: string; readonly status: "ok" | "missing" | "wrong" | "unknown"; readonly found: ReadonlyArray<string> }
export type DnsCheck = { readonly domain_id: number; readonly domain: string; readonly dns_status: "manual" | "managed" | "credentials_missing" | "pending_verification" | "verified" | "error"; readonly status: "pending" | "active"; readonly mismatches: number; readonly check_every: number; readonly findings: ReadonlyArray<DnsFinding>; readonly observation: ({ readonly domain: string; readonly at: string; readonly delegation: { readonly outcome: "delegated" | "absent" | "unknown"; readonly zone: (string) | (null); readonly servers: ReadonlyArray<{ readonly name: string; readonly address: (string) | (null) }> }; readonly dnssec: "signed" | "unsigned" | "bogus" | "unknown"; readonly asked: ReadonlyArray<{ readonly type: string; readonly name: string; readonly authorities: ReadonlyArray<{ readonly server: { readonly name: string; readonly address: (string) | (null) }; readonly said: { readonly outcome: "answer" | "nodata" | "nxdomain" | "servfail" | "refused" | "lame" | "cname_loop" | "timeout" | "unreachable" | "forbidden" | "malformed"; readonly values: ReadonlyArray<string>; readonly ttl: (number) | (null); readonly chain: ReadonlyArray<string> } }>; readonly resolvers: ReadonlyArray<{ readonly server: string; readonly said: { readonly outcome: "answer" | "nodata" | "nxdomain" | "servfail" | "refused" | "lame" | "cname_loop" | "timeout" | "unreachable" | "forbidden" | "malformed"; readonly values: ReadonlyArray<string>; readonly ttl: (number) | (null); readonly chain: ReadonlyArray<string> } }> }> }) | (null); readonly observed_at: (string) | (null) }
export type DnsInstructions = { readonly domain: string; readonly dns_status: "manual" | "managed" | "credentials_missing" | "pending_verification" | "verified" | "error"; readonly detected_provider: (string) | (null); readonly required_records: ReadonlyArray<RequiredDnsRecord>; readonly verification_status: string; readonly mail_records: ReadonlyArray<RequiredDnsRecord>; readonly zone_snippet: string; readonly steps: ReadonlyArray<string>; readonly findings: ReadonlyArray<DnsFinding>; readonly observed_at: (string) | (null) }
export type ProviderManaged = { readonly detail?: string; readonly instance?: string; readonly code: "provider_managed"; readonly type: "urn:signalbox:problem:provider_managed"; readonly status?: 409; readonly title?: "This record is managed at the DNS provider" }
export type RecordFixed = { readonly detail?: string; readonly instance?: string; readonly code: "record_fixed"; readonly source: "platform" | "mail" | "foreign"; readonly type: "urn:signalbox:problem:record_fixed"; readonly status?: 409; readonly title?: "This record cannot be changed directly" }
export type CnameConflict = { readonly detail?: string; readonly instance?: string; readonly code: "cname_conflict"; readonly type: "urn:signalbox:problem:cname_conflict"; readonly status?: 409; readonly title?: "A CNAME must be the only record of its name" }
export type RecordTaken = { readonly detail?: string; readonly instance?: string; readonly code: "record_taken"; readonly type: "urn:signalbox:problem:record_taken"; readonly status?: 409; readonly title?: "This record exists already" }
export type ChangedDnsRecord = { readonly id: string; readonly domain_id: number; readonly source: "platform" | "user" | "mail" | "foreign"; readonly type: string; readonly name: string; readonly content: string; readonly ttl: (number) | (null); readonly status: "ok" | "missing" | "wrong" | "unknown"; readonly managed: boolean; readonly checked_at: (string) | (null); readonly provider: DnsChangeOutcome }
export type DnsChangeOutcome = { readonly state: "none" | "queued" | "planned" | "applying" | "applied" | "unchanged" | "not_applied" | "failed"; readonly reason: ("no_account" | "no_adapter" | "no_credentials" | "planning" | "plan_under_way" | "provider_unreachable" | "rate_limited" | "provider_refused" | "foreign_records" | "large_change" | "approval_required" | "discarded") | (null); readonly detail: (string) | (null); readonly at: (string) | (null); readonly plan_id: (string) | (null); readonly steps: ReadonlyArray<DnsPlanStep>; readonly foreign: ReadonlyArray<{ readonly code: "foreign_replaced" | "foreign_extended" | "foreign_mx" | "foreign_dmarc" | "foreign_dkim" | "foreign_cname" | "cname_blocked" | "spf_twice" | "spf_broken" | "spf_lookups" | "left_out"; readonly type: string; readonly name: string; readonly detail: string; readonly foreign: boolean }> }
export type DnsRecord = { readonly id: string; readonly domain_id: number; readonly source: "platform" | "user" | "mail" | "foreign"; readonly type: string; readonly name: string; readonly content: string; readonly ttl: (number) | (null); readonly status: "ok" | "missing" | "wrong" | "unknown"; readonly managed: boolean; readonly checked_at: (string) | (null) }
export type RemovedDomain = { readonly id: number; readonly name: string; readonly left: ReadonlyArray<{ readonly type: string; readonly name: string; readonly contents: ReadonlyArray<string> }> }
export type DomainTaken_2 = { readonly detail?: string; readonly instance?: string; readonly code: "domain_taken"; readonly type: "urn:signalbox:problem:domain_taken"; readonly status?: 409; readonly title?: "This domain is taken" }
export type Domain = { readonly id: number; readonly tenant_id: number; readonly customer_id: number; readonly name: string; readonly display_name: string; readonly mixed_scripts: boolean; readonly ownership: { readonly state: "pending" | "proven"; readonly challenge: ({ readonly type: "TXT"; readonly name: string; readonly content: string }) | (null) }; readonly dns_provider_id: (number) | (null); readonly dns_status: "manual" | "managed" | "credentials_missing" | "pending_verification" | "verified" | "error"; readonly status: "pending" | "active"; readonly detected_provider: (string) | (null); readonly zone: (string) | (null); readonly observed_at: (string) | (null); readonly verified_at: (string) | (null); readonly waiting_for?: ReadonlyArray<string>; readonly created_at: string; readonly updated_at: string }
export type TooManyClaims = { readonly detail?: string; readonly instance?: string; readonly code: "too_many_claims"; readonly type: "urn:signalbox:problem:too_many_claims"; readonly status?: 409; readonly title?: "The tenant has too many unproven domains" }
export type NameReserved = { readonly detail?: string; readonly instance?: string; readonly code: "domain_reserved"; readonly type: "urn:signalbox:problem:domain_reserved"; readonly status?: 409; readonly title?: "The domain belongs to the provider" }
export type Call = { readonly id: number; readonly call_id: string; readonly tenant_id: number; readonly direction: "inbound" | "outbound" | "internal"; readonly caller_id: string; readonly did_number: (string) | (null); readonly destination: (string) | (null); readonly extension: (string) | (null); readonly customer: ({ readonly id: number; readonly number: string; readonly name: string }) | (null); readonly state: "ringing" | "answered" | "ended"; readonly started_at: string; readonly answered_at: (string) | (null); readonly ended_at: (string) | (null); readonly duration: (number) | (null); readonly cause: (string) | (null) }
export type SipRouteTest = { readonly origin: "phone" | "outside"; readonly context: string; readonly outcome: "Extension" | "RingGroup" | "Menu" | "Leave" | "Check" | "Outside" | "Refused"; readonly status: (number) | (null); readonly steps: ReadonlyArray<{ readonly kind: "context" | "filter" | "number" | "destination" | "line" | "result"; readonly code: "from_outside" | "from_phone" | "did_is_ours" | "did_is_not_ours" | "trunk_is_not_the_numbers" | "is_own_voicemail" | "is_extension" | "is_ring_group" | "is_voicemail_box" | "is_emergency" | "stays_within" | "is_outside" | "no_such_number" | "filter_fits" | "filter_does_not_fit" | "filter_refuses" | "on_no_whitelist" | "did_leads_to" | "external_is_within" | "leads_back" | "too_many_hops" | "extension_is_off" | "group_rings" | "is_missing" | "by_trunk" | "phone_is_unproven" | "no_line" | "extension_is_called" | "group_is_called" | "menu_answers" | "box_answers" | "box_is_heard" | "outside_is_called" | "call_is_refused"; readonly text: string }> }
export type CustomerNumberTaken = { readonly detail?: string; readonly instance?: string; readonly code: "customer_number_taken"; readonly customer_id: number; readonly type: "urn:signalbox:problem:customer_number_taken"; readonly status?: 409; readonly title?: "Another customer has this number" }
export type Customer = { readonly id: number; readonly tenant_id: number; readonly number: string; readonly name: string; readonly locale: string; readonly email: (string) | (null); readonly phones: ReadonlyArray<string>; readonly created_at: string; readonly updated_at: string }
export type CustomerImport = { readonly id: number; readonly tenant_id: number; readonly state: "waiting" | "running" | "finished"; readonly rows: { readonly total: (number) | (null); readonly done: number; readonly created: number; readonly changed: number; readonly unchanged: number; readonly failed: number }; readonly errors: ReadonlyArray<{ readonly line: number; readonly message: string }>; readonly created_at: string; readonly finished_at: (string) | (null) }
export type DomainTaken_1 = { readonly detail?: string; readonly instance?: string; readonly code: "domain_taken"; readonly type: "urn:signalbox:problem:domain_taken"; readonly status?: 409; readonly title?: "This SIP domain is taken" }
export type SipDomain = { readonly id: number; readonly tenant_id: number; readonly domain: string; readonly ownership: { readonly state: "pending" | "proven"; readonly challenge: ({ readonly type: "TXT"; readonly name: string; readonly content: string }) | (null) }; readonly created_at: string }
export type InUse = { readonly detail?: string; readonly instance?: string; readonly code: "in_use"; readonly used_by: ReadonlyArray<{ readonly type: "did" | "line" | "ring_group" | "ivr_menu"; readonly id: number; readonly name: string }>; readonly type: "urn:signalbox:problem:in_use"; readonly status?: 409; readonly title?: "Other objects use this one" }
export type NumberTaken = { readonly detail?: string; readonly instance?: string; readonly code: "number_taken"; readonly type: "urn:signalbox:problem:number_taken"; readonly status?: 409; readonly title?: "This number is in use" }
export type SipExternalNumber = { readonly id: number; readonly tenant_id: number; readonly number: string; readonly name: string; readonly created_at: string; readonly updated_at: string }
export type SipVoicemailPin = { readonly id: number; readonly box: string; readonly domain: string; readonly pin: string }
export type SipVoicemailBox = { readonly id: number; readonly tenant_id: number; readonly box: string; readonly name: string; readonly domain: string; readonly email: (string) | (null); readonly enabled: boolean; readonly created_at: string; readonly updated_at: string }
export type SipIvrMenu = { readonly id: number; readonly tenant_id: number; readonly name: string; readonly domain: string; readonly greeting: string; readonly timeout: number; readonly max_failures: number; readonly entries: ReadonlyArray<{ readonly digits: string; readonly destination_type: "extension" | "ring_group" | "ivr_menu" | "voicemail" | "external"; readonly destination_id: number }>; readonly created_at: string; readonly updated_at: string }
export type SipCallFilter = { readonly id: number; readonly tenant_id: number; readonly name: string; readonly type: "blacklist" | "whitelist"; readonly pattern: string; readonly action: ("reject"); readonly enabled: boolean; readonly created_at: string; readonly updated_at: string }
export type SipRingGroup = { readonly id: number; readonly tenant_id: number; readonly name: string; readonly domain: string; readonly number: (string) | (null); readonly strategy: "simultaneous" | "sequence" | "random"; readonly ring_timeout: number; readonly extensions: ReadonlyArray<string>; readonly created_at: string; readonly updated_at: string }
export type SipLine = { readonly id: number; readonly tenant_id: number; readonly extension_id: number; readonly did_id: (number) | (null); readonly trunk_id: number; readonly priority: number; readonly created_at: string; readonly updated_at: string }
export type SipDid = { readonly id: number; readonly tenant_id: number; readonly number: string; readonly name: string; readonly trunk_id: (number) | (null); readonly destination_type: "extension" | "ring_group" | "ivr_menu" | "voicemail" | "external"; readonly destination_id: number; readonly state: "pending" | "assigned"; readonly created_at: string; readonly updated_at: string }
export type SipTrunk = { readonly id: number; readonly tenant_id: number; readonly name: string; readonly host: string; readonly port: number; readonly transport: "udp" | "tcp" | "tls"; readonly username: (string) | (null); readonly has_password: boolean; readonly register: boolean; readonly realm: (string) | (null); readonly caller_id: (string) | (null); readonly networks: ReadonlyArray<string>; readonly networks_pending: ReadonlyArray<string>; readonly enabled: boolean; readonly created_at: string; readonly updated_at: string }
export type SipPhoneConfig = { readonly extension_id: number; readonly extension: string; readonly display_name: string; readonly enabled: boolean; readonly domain: string; readonly realm: string; readonly username: string; readonly password: string; readonly transports: ReadonlyArray<{ readonly transport: "udp" | "tls" | "wss"; readonly host: string; readonly port: number; readonly srtp: "off" | "optional" | "mandatory" }>; readonly wss_url: string; readonly wss_url_443: string; readonly codecs: ReadonlyArray<string>; readonly ice_gathering_timeout: number; readonly stun_servers: ReadonlyArray<string> }
export type OwnSipExtension = { readonly id: number; readonly extension: string; readonly name: string; readonly domain: string; readonly enabled: boolean }
export type SipExtension = { readonly id: number; readonly tenant_id: number; readonly extension: string; readonly name: string; readonly domain: string; readonly domain_state: "pending" | "proven"; readonly user_id: (number) | (null); readonly enabled: boolean; readonly kind: "employee" | "line" | "short" | "webrtc" | "test" | "other"; readonly warnings: ReadonlyArray<string>; readonly created_at: string; readonly updated_at: string }
export type EventHistogram = { readonly since: string; readonly until: string; readonly buckets: ReadonlyArray<{ readonly at: string; readonly counts: Readonly<Record<string, number>> }> }
export type EventPage = { readonly items: ReadonlyArray<LoggedEvent>; readonly next_before: (string) | (null) }
export type LoggedEvent = { readonly id: string; readonly type: string; readonly tenant_id: (number) | (null); readonly user_id: (number) | (null); readonly source: string; readonly at: string; readonly data: unknown }
export type SupportSession = { readonly id: number; readonly session_code: string; readonly channel: "web" | "phone" | "messenger"; readonly message: (string) | (null); readonly created_at: string; readonly expires_at: string; readonly tenant_id: number; readonly state: "open" | "expired" | "closed"; readonly user: { readonly id: number; readonly name: (string) | (null); readonly email: (string) | (null) }; readonly closed_at: (string) | (null); readonly closed_by: (string) | (null) }
export type OwnSupportSession = { readonly id: number; readonly session_code: string; readonly channel: "web" | "phone" | "messenger"; readonly message: (string) | (null); readonly created_at: string; readonly expires_at: string }
export type SupportLimitReached = { readonly detail?: string; readonly instance?: string; readonly code: "support_limit_reached"; readonly retry_after: number; readonly type: "urn:signalbox:problem:support_limit_reached"; readonly status?: 429; readonly title?: "Too many requests for support within an hour" }
export type SupportRequest = { readonly channel?: "web" | "phone" | "messenger"; readonly message?: string }
export type PushSubscription = { readonly id: string; readonly service: string; readonly created_at: string }
export type NotificationSettings = { readonly zone: string; readonly quiet: ({ readonly from: string; readonly to: string; readonly days: ReadonlyArray<number>; readonly errors_pass: boolean }) | (null); readonly digest: "off" | "hourly" | "daily"; readonly digest_at: string }
export type NotificationPreferences = { readonly items: ReadonlyArray<{ readonly user_id: number; readonly event_type: string; readonly channel: "app" | "email" | "messenger" | "browser" | "speech"; readonly enabled: boolean }> }
export type NotificationsMade = { readonly items: ReadonlyArray<{ readonly user_id: number; readonly uuid: (string) | (null); readonly email: boolean; readonly messenger: boolean }> }
export type NotificationSummary = { readonly total: number; readonly unread: number }
export type Notification = { readonly id: number; readonly uuid: string; readonly user_id: number; readonly tenant_id: number; readonly type: string; readonly channel: "app" | "email" | "messenger"; readonly category: string; readonly severity: "info" | "success" | "warning" | "error"; readonly icon: (string) | (null); readonly title: string; readonly body: string; readonly data: Readonly<Record<string, unknown>>; readonly entity_type: (string) | (null); readonly entity_id: (string) | (null); readonly action_url: (string) | (null); readonly read_at: (string) | (null); readonly created_at: string }
export type RotateWebhookSecret = { readonly overlap_hours?: number; readonly tenant_id?: number }
export type WebhookSecret = { readonly id: number; readonly tenant_id: number; readonly created_at: string; readonly retires_at: (string) | (null) }
export type AcknowledgeLinkGone = { readonly detail?: string; readonly instance?: string; readonly code: "link_gone"; readonly type: "urn:signalbox:problem:link_gone"; readonly status?: 404; readonly title?: "The link is not valid, or no longer valid" }
export type LinkedAlarm = { readonly title: string; readonly severity: (string) | (null); readonly state: "running" | "done" | "delivered" | "partly_delivered" | "failed" | "uncertain" | "acknowledged" | "rejected" | "duplicate" | "acknowledgement"; readonly received_at: string; readonly delivered_count: number; readonly target_count: number; readonly acknowledged_at: (string) | (null); readonly acknowledged_by: (string) | (null) }
export type AcknowledgeLinkRequest = { readonly token: string }
export type Heartbeat = { readonly sent: boolean; readonly message_id?: number; readonly reason?: string; readonly health: CommHealth }
export type CommHealth = { readonly status: "ok" | "degraded"; readonly components: { readonly cache: { readonly status: "ok" | "degraded" | "unconfigured"; readonly detail?: string; readonly kind?: "redis" | "postgres"; readonly latency_ms: (number) | (null) }; readonly tts: { readonly status: "ok" | "degraded" | "unconfigured"; readonly detail?: string; readonly provider: (string) | (null) }; readonly telephony: { readonly status: "ok" | "degraded" | "unconfigured"; readonly detail?: string }; readonly messenger: { readonly status: "ok" | "degraded" | "unconfigured"; readonly detail?: string; readonly bot?: string } } }
export type CallLimitReached = { readonly detail?: string; readonly instance?: string; readonly code: "call_limit_reached"; readonly retry_after: number; readonly type: "urn:signalbox:problem:call_limit_reached"; readonly status?: 429; readonly title?: "The tenant has reached its limit of calls" }
export type DispatchResponse = { readonly run_id: string; readonly state: "running" | "done" | "delivered" | "partly_delivered" | "failed" | "uncertain" | "acknowledged" | "rejected" | "duplicate" | "acknowledgement"; readonly targets: ReadonlyArray<{ readonly fallback_of: (number) | (null); readonly channel: string; readonly target: string; readonly state: "pending" | "attempting" | "delivered" | "failed" | "uncertain" | "suppressed"; readonly reason: (string) | (null) }>; readonly links: { readonly run: string; readonly acknowledge: string } }
export type NotifyRequest = { readonly channels: ReadonlyArray<unknown>; readonly text: string; readonly severity?: "" | "ALERT" | "CRITICAL" | "WARNING" | "INFO"; readonly tts_provider?: "local_fast" | "local_gpu" | "cloud"; readonly tts_voice?: string }
export type MessengerVoiceRequest = { readonly chat_id: string; readonly text: string; readonly caption?: string; readonly tts_provider?: "local_fast" | "local_gpu" | "cloud"; readonly tts_voice?: string }
export type MessengerRequest = { readonly chat_id: string; readonly text: string; readonly severity?: "" | "ALERT" | "CRITICAL" | "WARNING" | "INFO" }
export type CallResponse = { readonly run_id: string; readonly state: "running" | "done" | "delivered" | "partly_delivered" | "failed" | "uncertain" | "acknowledged" | "rejected" | "duplicate" | "acknowledgement"; readonly targets: ReadonlyArray<{ readonly fallback_of: (number) | (null); readonly channel: string; readonly target: string; readonly state: "pending" | "attempting" | "delivered" | "failed" | "uncertain" | "suppressed"; readonly reason: (string) | (null) }>; readonly links: { readonly run: string; readonly acknowledge: string }; readonly result: CallStart }
export type CallStart = { readonly state: "dialled" | "waiting" | "failed"; readonly reason: (string) | (null) }
export type CallRequest = { readonly target: string; readonly text: string; readonly language?: "en" | "de"; readonly tts_provider?: "local_fast" | "local_gpu" | "cloud"; readonly tts_voice?: string; readonly gateway?: string; readonly pause_ms?: number; readonly repeat?: number }
export type NotAnAlarm = { readonly detail?: string; readonly instance?: string; readonly code: "not_an_alarm"; readonly type: "urn:signalbox:problem:not_an_alarm"; readonly status?: 409; readonly title?: "This run is not an alarm" }
export type AcknowledgeResponse = { readonly run_id: string; readonly state: "running" | "done" | "delivered" | "partly_delivered" | "failed" | "uncertain" | "acknowledged" | "rejected" | "duplicate" | "acknowledgement"; readonly acknowledged_at: string; readonly acknowledged_by: string; readonly suppressed: number; readonly links: { readonly run: string } }
export type AcknowledgeRequest = { readonly note?: string }
export type WorkflowStatistics = { readonly since: string; readonly until: string; readonly buckets: ReadonlyArray<{ readonly at: string; readonly states: Readonly<Record<string, number>>; readonly severities: Readonly<Record<string, number>> }> }
export type Workflow = { readonly name: string; readonly title: string; readonly pattern: string; readonly steps: ReadonlyArray<string>; readonly counts: Readonly<Record<string, number>> }
export type UnknownEventType = { readonly detail?: string; readonly instance?: string; readonly code: "unknown_event_type"; readonly type: "urn:signalbox:problem:unknown_event_type"; readonly status?: 422; readonly title?: "No workflow starts from this event type" }
export type TriggerResponse = { readonly run_id: string; readonly state: "running" | "done" | "delivered" | "partly_delivered" | "failed" | "uncertain" | "acknowledged" | "rejected" | "duplicate" | "acknowledgement"; readonly reason: (string) | (null); readonly links: { readonly run: string }; readonly run_ids?: ReadonlyArray<string> }
export type BridgeStatus = { readonly mailboxes: ReadonlyArray<MailboxStatus>; readonly smtp: { readonly state: "off" | "starting" | "listening" | "waiting"; readonly host: string; readonly port: (number) | (null) } }
export type MailboxStatus = { readonly name: string; readonly detection: ("idle" | "polling") | (null); readonly state: "elsewhere" | "running" | "waiting" | "stopped" | "escalated"; readonly last_seen_uid: (number) | (null); readonly last_mail_at: (string) | (null); readonly error: (string) | (null) }
export type AccountNeeded = { readonly detail?: string; readonly instance?: string; readonly code: "account_needed"; readonly errors: ReadonlyArray<{ readonly field: string; readonly message: string }>; readonly type: "urn:signalbox:problem:account_needed"; readonly status?: 422; readonly title?: "Name the mail account" }
export type TooLarge = { readonly detail?: string; readonly instance?: string; readonly code: "too_large"; readonly limit: number; readonly type: "urn:signalbox:problem:too_large"; readonly status?: 413; readonly title?: "The content is too large" }
export type Upload = { readonly id: string; readonly name: string; readonly content_type: string; readonly size: number; readonly content_id: string; readonly created_at: string; readonly expires_at: string }
export type MailServerUnavailable = { readonly detail?: string; readonly instance?: string; readonly code: "mail_server_unavailable"; readonly type: "urn:signalbox:problem:mail_server_unavailable"; readonly status?: 503; readonly title?: "The mail server does not answer" }
export type SendingTooFast = { readonly detail?: string; readonly instance?: string; readonly code: "sending_too_fast"; readonly type: "urn:signalbox:problem:sending_too_fast"; readonly status?: 429; readonly title?: "The account has reached its sending limit" }
export type RecipientsRefused = { readonly detail?: string; readonly instance?: string; readonly code: "recipients_refused"; readonly rejected: ReadonlyArray<{ readonly address: string; readonly detail: string }>; readonly type: "urn:signalbox:problem:recipients_refused"; readonly status?: 422; readonly title?: "The mail server refused all recipients" }
export type MailRefused = { readonly detail?: string; readonly instance?: string; readonly code: "mail_refused"; readonly type: "urn:signalbox:problem:mail_refused"; readonly status?: 409; readonly title?: "The mail server refused the request" }
export type MailSignInRefused = { readonly detail?: string; readonly instance?: string; readonly code: "mail_sign_in_refused"; readonly type: "urn:signalbox:problem:mail_sign_in_refused"; readonly status?: 409; readonly title?: "The mail server refused the sign-in" }
export type SendingUnderWay = { readonly detail?: string; readonly instance?: string; readonly code: "sending_under_way"; readonly type: "urn:signalbox:problem:sending_under_way"; readonly status?: 409; readonly title?: "This mail is being sent" }
export type OutcomeUnknown = { readonly detail?: string; readonly instance?: string; readonly code: "sending_outcome_unknown"; readonly message_id: string; readonly type: "urn:signalbox:problem:sending_outcome_unknown"; readonly status?: 409; readonly title?: "The outcome of sending is unknown" }
export type SentMail = { readonly message_id: string; readonly accepted: ReadonlyArray<string>; readonly rejected: ReadonlyArray<{ readonly address: string; readonly detail: string }>; readonly sent_copy: ({ readonly folder: string; readonly uid: (number) | (null) }) | (false) }
export type KeptDraft = { readonly folder: string; readonly uid: (number) | (null); readonly message_id: string }
export type DraftMail = { readonly to?: ReadonlyArray<unknown>; readonly cc?: ReadonlyArray<unknown>; readonly bcc?: ReadonlyArray<unknown>; readonly subject?: string; readonly html?: string; readonly plain?: string; readonly in_reply_to?: string; readonly reply_to?: string; readonly from_name?: string; readonly attachments?: ReadonlyArray<unknown>; readonly draft_key?: string }
export type Mail = { readonly to?: ReadonlyArray<unknown>; readonly cc?: ReadonlyArray<unknown>; readonly bcc?: ReadonlyArray<unknown>; readonly subject?: string; readonly html?: string; readonly plain?: string; readonly in_reply_to?: string; readonly reply_to?: string; readonly from_name?: string; readonly attachments?: ReadonlyArray<unknown>; readonly draft?: number; readonly draft_key?: string }
export type FolderProtected = { readonly detail?: string; readonly instance?: string; readonly code: "folder_protected"; readonly type: "urn:signalbox:problem:folder_protected"; readonly status?: 409; readonly title?: "This folder is protected" }
export type EmptiedFolder = { readonly deleted: number }
export type FolderTaken = { readonly detail?: string; readonly instance?: string; readonly code: "folder_taken"; readonly type: "urn:signalbox:problem:folder_taken"; readonly status?: 409; readonly title?: "A folder with this name exists already" }
export type NamedFolder = { readonly folder: string }
export type TargetUnknown = { readonly detail?: string; readonly instance?: string; readonly code: "target_folder_unknown"; readonly type: "urn:signalbox:problem:target_folder_unknown"; readonly status?: 404; readonly title?: "The target folder does not exist" }
export type BulkChange = { readonly outcome: "moved" | "deleted" | "flagged"; readonly folder: (string) | (null); readonly messages: ReadonlyArray<{ readonly uid: number; readonly new_uid: (number) | (null); readonly flags: (ReadonlyArray<string>) | (null) }>; readonly missing: ReadonlyArray<number> }
export type FlaggedMessage = { readonly uid: number; readonly flags: ReadonlyArray<string> }
export type MovedMessage = { readonly folder: string; readonly uid: (number) | (null) }
export type RemovedMessage = { readonly outcome: "moved" | "deleted"; readonly folder: (string) | (null); readonly uid: (number) | (null) }
export type MailCompose = { readonly to: ReadonlyArray<string>; readonly cc: ReadonlyArray<string>; readonly subject: string; readonly body: string; readonly signature: (MailSignature) | (null) }
export type MailSignature = { readonly id: number; readonly name: string; readonly html: string; readonly is_default: boolean; readonly rules: ReadonlyArray<{ readonly match_type: "address" | "domain"; readonly match_value: string }>; readonly created_at: string; readonly updated_at: string }
export type MailPerson = { readonly name: string; readonly address: string; readonly source: "address_book" | "recent" }
export type MailContact = { readonly id: number; readonly name: string; readonly company: string; readonly emails: ReadonlyArray<string>; readonly phones: ReadonlyArray<string>; readonly websites: ReadonlyArray<string>; readonly messenger: (string) | (null); readonly chat_app: (string) | (null); readonly note: string; readonly created_at: string; readonly updated_at: string }
export type LimitReached = { readonly detail?: string; readonly instance?: string; readonly code: "limit_reached"; readonly limit: number; readonly type: "urn:signalbox:problem:limit_reached"; readonly status?: 409; readonly title?: "The limit is reached" }
export type SignatureRuleTaken = { readonly detail?: string; readonly instance?: string; readonly code: "signature_rule_taken"; readonly signature_id: number; readonly match_value: string; readonly type: "urn:signalbox:problem:signature_rule_taken"; readonly status?: 409; readonly title?: "Another signature has this rule" }
export type WatchStatus = { readonly id: number; readonly account: string; readonly mode: "notify" | "idle" | "push" | "poll" | "lazy" | "connecting" | "failed"; readonly since: (string) | (null); readonly folders: number; readonly last_event_at: (string) | (null); readonly last_failure: (string) | (null); readonly next_try_at: (string) | (null) }
export type WebmailThreads = { readonly items: ReadonlyArray<{ readonly count: number; readonly messages: ReadonlyArray<WebmailListItem> }>; readonly method: "REFS" | "REFERENCES" | "page"; readonly total: number; readonly page: number; readonly per_page: number; readonly pages: number }
export type WebmailListItem = { readonly uid: number; readonly from_addr: string; readonly from_name: string; readonly subject: string; readonly date: (string) | (null); readonly flags: ReadonlyArray<string>; readonly seen: boolean; readonly flagged: boolean; readonly answered: boolean; readonly has_attachments: boolean; readonly size: number }
export type WebmailPage = { readonly items: ReadonlyArray<WebmailListItem>; readonly total: number; readonly page: number; readonly per_page: number; readonly pages: number }
export type WebmailMessage = { readonly uid: number; readonly folder: string; readonly subject: string; readonly from: ReadonlyArray<{ readonly name: string; readonly address: string }>; readonly to: ReadonlyArray<{ readonly name: string; readonly address: string }>; readonly cc: ReadonlyArray<{ readonly name: string; readonly address: string }>; readonly bcc: ReadonlyArray<{ readonly name: string; readonly address: string }>; readonly reply_to: ReadonlyArray<{ readonly name: string; readonly address: string }>; readonly date: (string) | (null); readonly message_id: (string) | (null); readonly in_reply_to: (string) | (null); readonly references: ReadonlyArray<string>; readonly flags: ReadonlyArray<string>; readonly seen: boolean; readonly flagged: boolean; readonly answered: boolean; readonly size: number; readonly html: (string) | (null); readonly text: string; readonly attachments: ReadonlyArray<{ readonly part: string; readonly filename: string; readonly media_type: string; readonly size: number; readonly content_id: (string) | (null); readonly inline: boolean }>; readonly blocked_images: number; readonly truncated: boolean }
export type SortUnsupported = { readonly detail?: string; readonly instance?: string; readonly code: "sort_unsupported"; readonly errors: ReadonlyArray<{ readonly field: string; readonly message: string }>; readonly type: "urn:signalbox:problem:sort_unsupported"; readonly status?: 422; readonly title?: "The mail server cannot sort" }
export type WebmailFolder = { readonly name: string; readonly delimiter: (string) | (null); readonly special_use: (string) | (null); readonly unseen: number; readonly exists: number; readonly subscribed: boolean; readonly selectable: boolean }
export type WebmailAccount = { readonly id: number; readonly tenant_id: number; readonly user_id: (number) | (null); readonly address: string; readonly kind: "own" | "foreign"; readonly display_name: string; readonly state: "active" | "suspended"; readonly is_default: boolean; readonly watch: "always" | "lazy"; readonly imap_host: (string) | (null); readonly imap_port: (number) | (null); readonly smtp_host: (string) | (null); readonly smtp_port: (number) | (null); readonly login: (string) | (null) }
export type OwnAccount_1 = { readonly detail?: string; readonly instance?: string; readonly code: "own_account"; readonly type: "urn:signalbox:problem:own_account"; readonly status?: 409; readonly title?: "This account is a mailbox of our own mail server" }
export type WebmailAddressTaken = { readonly detail?: string; readonly instance?: string; readonly code: "account_taken"; readonly type: "urn:signalbox:problem:account_taken"; readonly status?: 409; readonly title?: "An account with this address exists already" }
export type TooManyAccounts = { readonly detail?: string; readonly instance?: string; readonly code: "too_many_accounts"; readonly limit: number; readonly type: "urn:signalbox:problem:too_many_accounts"; readonly status?: 409; readonly title?: "There are too many accounts" }
export type MailAppPassword = { readonly id: number; readonly tenant_id: number; readonly address: string; readonly user_id: number; readonly device_id: string; readonly device_name: string; readonly created_at: string }
export type MailBan = { readonly id: number; readonly address: string; readonly rule: string; readonly banned_at: string; readonly until: string }
export type MailAlias = { readonly id: number; readonly tenant_id: number; readonly domain_id: number; readonly source: string; readonly destination: string; readonly created_at: string }
export type AliasLoop = { readonly detail?: string; readonly instance?: string; readonly code: "alias_loop"; readonly type: "urn:signalbox:problem:alias_loop"; readonly status?: 409; readonly title?: "The alias leads back to itself" }
export type AddressTaken = { readonly detail?: string; readonly instance?: string; readonly code: "address_taken"; readonly type: "urn:signalbox:problem:address_taken"; readonly status?: 409; readonly title?: "This address is in use" }
export type MailAccount = { readonly id: number; readonly tenant_id: number; readonly domain_id: number; readonly local_part: string; readonly address: string; readonly user_id: (number) | (null); readonly quota_mb: (number) | (null); readonly state: "active" | "suspended"; readonly is_default: boolean; readonly created_at: string; readonly updated_at: string }
export type MailDomain = { readonly id: number; readonly tenant_id: number; readonly customer_id: number; readonly domain: string; readonly ownership: { readonly state: "pending" | "proven"; readonly challenge: ({ readonly type: "TXT"; readonly name: string; readonly content: string }) | (null) }; readonly dkim_selector: string; readonly dkim_keys: ReadonlyArray<{ readonly selector: string; readonly state: "active" | "next" | "retired" }>; readonly records: ReadonlyArray<{ readonly type: "MX" | "TXT" | "CNAME"; readonly name: string; readonly content: string; readonly priority: (number) | (null); readonly status: "ok" | "missing" | "wrong" | "unknown"; readonly checked_at: (string) | (null) }>; readonly waiting_for?: ReadonlyArray<string>; readonly created_at: string; readonly updated_at: string }
export type RotationUnderWay = { readonly detail?: string; readonly instance?: string; readonly code: "rotation_under_way"; readonly selector: string; readonly type: "urn:signalbox:problem:rotation_under_way"; readonly status?: 409; readonly title?: "The domain already has a next key" }
export type DomainTaken = { readonly detail?: string; readonly instance?: string; readonly code: "domain_taken"; readonly type: "urn:signalbox:problem:domain_taken"; readonly status?: 409; readonly title?: "The mail domain exists already" }
export type DomainNotEmpty = { readonly detail?: string; readonly instance?: string; readonly code: "domain_not_empty"; readonly mailboxes: number; readonly type: "urn:signalbox:problem:domain_not_empty"; readonly status?: 409; readonly title?: "The domain has mailboxes" }
export type SetupStep = { readonly name: string; readonly title: { readonly en: string; readonly de: string }; readonly why: { readonly en: string; readonly de: string }; readonly state: "done" | "open" | "skipped"; readonly optional: boolean; readonly group: ("alarms" | "webhooks" | "messenger" | "switch" | "speech" | "relay" | "mail" | "addresses" | "resolvers" | "branding") | (null); readonly page: (string) | (null); readonly settings: ReadonlyArray<string>; readonly command: string }
export type Branding = { readonly name: string; readonly logo: (string) | (null); readonly colour: (string) | (null) }
export type PlatformSettingTestResult = { readonly subject: string; readonly ok: boolean; readonly text: { readonly en: string; readonly de: string }; readonly detail: (string) | (null); readonly took_ms: number }
export type SettingLocked = { readonly detail?: string; readonly instance?: string; readonly code: "setting_locked"; readonly setting: string; readonly type: "urn:signalbox:problem:setting_locked"; readonly status?: 409; readonly title?: "The environment sets this setting" }
export type PlatformSetting = { readonly name: string; readonly group: "alarms" | "webhooks" | "messenger" | "switch" | "speech" | "relay" | "mail" | "addresses" | "resolvers" | "branding"; readonly title: { readonly en: string; readonly de: string }; readonly help: { readonly en: string; readonly de: string }; readonly input: "text" | "long" | "colour" | "image"; readonly unit: (string) | (null); readonly default: (string) | (null); readonly secret: boolean; readonly source: "environment" | "database" | "default"; readonly locked: boolean; readonly value: (string) | (null); readonly problem: (string) | (null); readonly changed_at: (string) | (null); readonly changed_by: (string) | (null) }
export type Preferences = { readonly mail_handler: "internal" | "system" | "ask"; readonly call_handler: "internal" | "system" | "ask" }
export type AuditEntry = { readonly id: (number); readonly tenant_id: number; readonly at: string; readonly actor: string; readonly action: string; readonly entity_type: string; readonly entity_id: string; readonly address: (string) | (null); readonly detail: Readonly<Record<string, unknown>> }
export type ScopeExceeds = { readonly detail?: string; readonly instance?: string; readonly code: "scope_exceeds_own"; readonly scope: string; readonly type: "urn:signalbox:problem:scope_exceeds_own"; readonly status?: 403; readonly title?: "The scope has permissions that you lack" }
export type ServiceToken = { readonly id: number; readonly name: string; readonly scopes: ReadonlyArray<string>; readonly state: "valid" | "expired" | "revoked"; readonly created_at: string; readonly expires_at: (string) | (null); readonly revoked_at: (string) | (null); readonly last_used_at: (string) | (null) }
export type Tenant = { readonly id: number; readonly name: string; readonly state: "active" | "suspended"; readonly created_at: string; readonly updated_at: string }
export type ProviderTenant = { readonly detail?: string; readonly instance?: string; readonly code: "provider_tenant"; readonly type: "urn:signalbox:problem:provider_tenant"; readonly status?: 409; readonly title?: "Not permitted for the provider's tenant" }
export type TenantNameTaken = { readonly detail?: string; readonly instance?: string; readonly code: "tenant_name_taken"; readonly type: "urn:signalbox:problem:tenant_name_taken"; readonly status?: 409; readonly title?: "A tenant already has this name" }
export type LastAdmin = { readonly detail?: string; readonly instance?: string; readonly code: "last_admin"; readonly type: "urn:signalbox:problem:last_admin"; readonly status?: 409; readonly title?: "This is the provider's last active admin" }
export type OwnAccount = { readonly detail?: string; readonly instance?: string; readonly code: "own_account"; readonly type: "urn:signalbox:problem:own_account"; readonly status?: 409; readonly title?: "Not permitted for your own account" }
export type RoleExceeds = { readonly detail?: string; readonly instance?: string; readonly code: "role_exceeds_own"; readonly permission: string; readonly type: "urn:signalbox:problem:role_exceeds_own"; readonly status?: 403; readonly title?: "The role has permissions that you lack" }
export type UserSession = { readonly id: string; readonly created_at: string; readonly last_used_at: string; readonly expires_at: string; readonly address: (string) | (null); readonly user_agent: (string) | (null); readonly methods: ReadonlyArray<string> }
export type User = { readonly id: number; readonly tenant_id: number; readonly email: string; readonly name: string; readonly role: "admin" | "reseller" | "customer" | "user" | "support"; readonly locale: string; readonly time_zone: (string) | (null); readonly state: "active" | "suspended"; readonly created_at: string; readonly updated_at: string; readonly last_login_at: (string) | (null) }
export type EmailTaken = { readonly detail?: string; readonly instance?: string; readonly code: "email_taken"; readonly type: "urn:signalbox:problem:email_taken"; readonly status?: 409; readonly title?: "An account already has this address" }
export type LastWayIn = { readonly detail?: string; readonly instance?: string; readonly code: "last_way_in"; readonly type: "urn:signalbox:problem:last_way_in"; readonly status?: 409; readonly title?: "This connection is the only way to sign in" }
export type TooManyTries = { readonly detail?: string; readonly instance?: string; readonly code: "too_many_requests"; readonly type: "urn:signalbox:problem:too_many_requests"; readonly status?: 429; readonly title?: "Too many failed attempts" }
export type ProviderUnavailable = { readonly detail?: string; readonly instance?: string; readonly code: "provider_unavailable"; readonly type: "urn:signalbox:problem:provider_unavailable"; readonly status?: 503; readonly title?: "The external provider does not answer" }
export type LinkedProvider = { readonly provider: (string) | (null); readonly title: string; readonly email: (string) | (null); readonly linked_by: "owner" | "email"; readonly linked_at: string; readonly last_used_at: (string) | (null) }
export type OutsideProvider = { readonly id: string; readonly title: string; readonly available: boolean; readonly start_url: string }
export type MailAccountSuspended = { readonly detail?: string; readonly instance?: string; readonly code: "mail_account_suspended"; readonly type: "urn:signalbox:problem:mail_account_suspended"; readonly status?: 409; readonly title?: "The mail account is suspended" }
export type MailTokenResponse = { readonly access_token: string; readonly token_type: "Bearer"; readonly expires_in: number; readonly email: string }
export type NoSecondFactor = { readonly detail?: string; readonly instance?: string; readonly code: "no_second_factor"; readonly type: "urn:signalbox:problem:no_second_factor"; readonly status?: 409; readonly title?: "No second factor is set up" }
export type RecentSignInRequired = { readonly detail?: string; readonly instance?: string; readonly code: "recent_sign_in_required"; readonly type: "urn:signalbox:problem:recent_sign_in_required"; readonly status?: 403; readonly title?: "This change requires a recent sign-in" }
export type InvalidCredentials = { readonly detail?: string; readonly instance?: string; readonly code: "invalid_credentials"; readonly type: "urn:signalbox:problem:invalid_credentials"; readonly status?: 401; readonly title?: "Wrong e-mail address, password or code" }
export type RecoveryCodes = { readonly recovery_codes: ReadonlyArray<string> }
export type InvalidCode = { readonly detail?: string; readonly instance?: string; readonly code: "invalid_code"; readonly errors: ReadonlyArray<{ readonly field: string; readonly message: string; readonly code?: string }>; readonly type: "urn:signalbox:problem:invalid_code"; readonly status?: 422; readonly title?: "The code is invalid" }
export type MessengerNotConfigured = { readonly detail?: string; readonly instance?: string; readonly code: "messenger_not_configured"; readonly type: "urn:signalbox:problem:messenger_not_configured"; readonly status?: 409; readonly title?: "This installation has no messenger that sends codes" }
export type FactorActive = { readonly detail?: string; readonly instance?: string; readonly code: "factor_active"; readonly type: "urn:signalbox:problem:factor_active"; readonly status?: 409; readonly title?: "This second factor is already set up" }
export type TooManyCodes = { readonly detail?: string; readonly instance?: string; readonly code: "too_many_requests"; readonly type: "urn:signalbox:problem:too_many_requests"; readonly status?: 429; readonly title?: "Too many codes were sent" }
export type TotpEnrolment = { readonly secret: string; readonly uri: string; readonly qr_svg: string }
export type Factors = { readonly factors: ReadonlyArray<{ readonly type: "totp" | "messenger"; readonly since: string; readonly chat_id?: string }>; readonly recovery_codes_left: number; readonly available: ReadonlyArray<"totp" | "messenger"> }
export type CrossSiteRequest = { readonly detail?: string; readonly instance?: string; readonly code: "cross_site_request"; readonly type: "urn:signalbox:problem:cross_site_request"; readonly status?: 403; readonly title?: "Only Signalbox's own pages may use the sign-in cookie" }
export type Tokens = { readonly access_token: string; readonly token_type: "Bearer"; readonly expires_in: number; readonly refresh_token?: string }
export type Session = { readonly id: string; readonly created_at: string; readonly last_used_at: string; readonly expires_at: string; readonly address: (string) | (null); readonly user_agent: (string) | (null); readonly methods: ReadonlyArray<string>; readonly current: boolean }
export type Me = { readonly id: number; readonly tenant_id: number; readonly tenant_name: string; readonly email: string; readonly name: string; readonly role: "admin" | "reseller" | "customer" | "user" | "support"; readonly locale: string; readonly time_zone: (string) | (null); readonly permissions: ReadonlyArray<"users.read" | "users.manage" | "tenants.read" | "tenants.manage" | "service_tokens.manage" | "audit.read" | "settings.manage" | "workflows.manage" | "alarms.urgent" | "calls.any" | "notifications.manage" | "mail.read" | "mail.manage" | "webmail.use" | "domains.read" | "domains.manage" | "dns.read" | "dns.manage" | "hosting.read" | "hosting.manage" | "sip.read" | "sip.manage" | "sip.credentials.read" | "sip.credentials.write" | "customers.read" | "customers.manage" | "provisioning.client_tokens.create" | "provisioning.client_tokens.read" | "provisioning.read" | "provisioning.manage" | "ebics.view" | "ebics.manage" | "ebics.fetch" | "ebics.reconcile" | "wakeword.read" | "wakeword.manage" | "ocr.read" | "ocr.process" | "backups.read" | "backups.manage" | "system.read" | "system.manage" | "security.read" | "security.manage" | "coder.use" | "spaces.use">; readonly session: Session; readonly has_password: boolean; readonly factors: ReadonlyArray<"totp" | "messenger"> }
export type InvalidLink = { readonly detail?: string; readonly instance?: string; readonly code: "invalid_link"; readonly type: "urn:signalbox:problem:invalid_link"; readonly status?: 401; readonly title?: "The sign-in link is invalid" }
export type InvalidRefreshToken = { readonly detail?: string; readonly instance?: string; readonly code: "invalid_refresh_token"; readonly type: "urn:signalbox:problem:invalid_refresh_token"; readonly status?: 401; readonly title?: "The refresh token is invalid" }
export type SecondFactorRequired = { readonly detail?: string; readonly instance?: string; readonly code: "second_factor_required"; readonly methods: ReadonlyArray<"totp" | "messenger">; readonly type: "urn:signalbox:problem:second_factor_required"; readonly status?: 401; readonly title?: "A second factor is required" }

export interface Operations {
  /** Public keys that verify tokens */
  readonly "keys.jwks": { readonly input: {  }; readonly answer: { readonly keys: ReadonlyArray<{ readonly kty: string; readonly crv: string; readonly x: string; readonly kid: string; readonly alg: string; readonly use: string }> } }
  /**
   * Sign in with a password
   *
   * @example
   * await signalbox("sign-in.login", {
   *   "body": {
   *     "email": "anna@example.org",
   *     "password": "four-words-in-a-row",
   *     "code": "123456",
   *     "cookie": true
   *   }
   * })
   */
  readonly "sign-in.login": { readonly input: { readonly body: { readonly email: string; readonly password: string; readonly code?: string; readonly cookie?: boolean } }; readonly answer: Tokens }
  /**
   * Exchange a refresh token for new tokens
   *
   * @example
   * await signalbox("sign-in.refresh", {
   *   "body": {
   *     "refresh_token": "c2VjcmV0LXNlY3JldC1zZWNyZXQ"
   *   }
   * })
   */
  readonly "sign-in.refresh": { readonly input: { readonly body: { readonly refresh_token?: string } }; readonly answer: Tokens }
  /**
   * Sign in by a one-time link
   *
   * @example
   * await signalbox("sign-in.link", {
   *   "body": {
   *     "token": "c2VjcmV0LXNlY3JldC1zZWNyZXQ",
   *     "cookie": true
   *   }
   * })
   */
  readonly "sign-in.link": { readonly input: { readonly body: { readonly token: string; readonly cookie?: boolean } }; readonly answer: Tokens }
  /** HTML page of a one-time link */
  readonly "sign-in.welcome": { readonly input: {  }; readonly answer: string | Uint8Array<ArrayBuffer> }
  /** Sign out */
  readonly "auth.logout": { readonly input: {  }; readonly answer: undefined }
  /** The signed-in user */
  readonly "auth.me": { readonly input: {  }; readonly answer: Me }
  /**
   * Change language and time zone
   *
   * @example
   * await signalbox("auth.changeMe", {
   *   "body": {
   *     "locale": "en",
   *     "time_zone": "Europe/Berlin"
   *   }
   * })
   */
  readonly "auth.changeMe": { readonly input: { readonly body: { readonly locale?: string; readonly time_zone?: (string) | (null) } }; readonly answer: Tokens }
  /** Sessions of the caller */
  readonly "auth.sessions": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<Session>; readonly next_before: (string) | (null) } }
  /** End all other sessions */
  readonly "auth.endOtherSessions": { readonly input: {  }; readonly answer: undefined }
  /**
   * End a session
   *
   * @example
   * await signalbox("auth.endSession", {
   *   "path": {
   *     "id": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "auth.endSession": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: undefined }
  /**
   * Change the password
   *
   * @example
   * await signalbox("auth.password", {
   *   "body": {
   *     "current_password": "text",
   *     "new_password": "four-words-in-a-row",
   *     "cookie": true
   *   }
   * })
   */
  readonly "auth.password": { readonly input: { readonly body: { readonly current_password?: string; readonly new_password: string; readonly cookie?: boolean } }; readonly answer: Tokens }
  /** Second factors of the caller */
  readonly "factors.list": { readonly input: {  }; readonly answer: Factors }
  /**
   * Set up an authenticator app
   *
   * @example
   * await signalbox("factors.beginTotp", {
   *   "body": {
   *     "password": "four-words-in-a-row"
   *   }
   * })
   */
  readonly "factors.beginTotp": { readonly input: { readonly body: ({ readonly password?: string }) | (null) }; readonly answer: TotpEnrolment }
  /**
   * Remove the authenticator app
   *
   * @example
   * await signalbox("factors.removeTotp", {
   *   "body": {
   *     "password": "four-words-in-a-row"
   *   }
   * })
   */
  readonly "factors.removeTotp": { readonly input: { readonly body: ({ readonly password?: string }) | (null) }; readonly answer: undefined }
  /**
   * Confirm the authenticator app
   *
   * @example
   * await signalbox("factors.confirmTotp", {
   *   "body": {
   *     "code": "123456"
   *   }
   * })
   */
  readonly "factors.confirmTotp": { readonly input: { readonly body: { readonly code: string } }; readonly answer: RecoveryCodes }
  /**
   * Set up codes by messenger
   *
   * @example
   * await signalbox("factors.beginMessenger", {
   *   "body": {
   *     "chat_id": "123456",
   *     "password": "four-words-in-a-row"
   *   }
   * })
   */
  readonly "factors.beginMessenger": { readonly input: { readonly body: { readonly chat_id: string; readonly password?: string } }; readonly answer: undefined }
  /**
   * Remove codes by messenger
   *
   * @example
   * await signalbox("factors.removeMessenger", {
   *   "body": {
   *     "password": "four-words-in-a-row"
   *   }
   * })
   */
  readonly "factors.removeMessenger": { readonly input: { readonly body: ({ readonly password?: string }) | (null) }; readonly answer: undefined }
  /**
   * Confirm codes by messenger
   *
   * @example
   * await signalbox("factors.confirmMessenger", {
   *   "body": {
   *     "code": "123456"
   *   }
   * })
   */
  readonly "factors.confirmMessenger": { readonly input: { readonly body: { readonly code: string } }; readonly answer: RecoveryCodes }
  /**
   * Replace the recovery codes
   *
   * @example
   * await signalbox("factors.renewCodes", {
   *   "body": {
   *     "password": "four-words-in-a-row"
   *   }
   * })
   */
  readonly "factors.renewCodes": { readonly input: { readonly body: ({ readonly password?: string }) | (null) }; readonly answer: RecoveryCodes }
  /**
   * Create a token for the mail server
   *
   * @example
   * await signalbox("mail-tokens.mailToken", {
   *   "body": {
   *     "email": "anna@example.org"
   *   }
   * })
   */
  readonly "mail-tokens.mailToken": { readonly input: { readonly body: ({ readonly email?: string }) | (null) }; readonly answer: MailTokenResponse }
  /**
   * Introspect a mail token (RFC 7662)
   *
   * @example
   * await signalbox("introspection.introspect", {
   *   "body": {
   *     "token": "c2VjcmV0LXNlY3JldC1zZWNyZXQ"
   *   }
   * })
   */
  readonly "introspection.introspect": { readonly input: { readonly body: string | Uint8Array<ArrayBuffer> }; readonly answer: ({ readonly active: true; readonly username: string; readonly scope: string; readonly token_type: "Bearer"; readonly exp: number }) | ({ readonly active: false }) }
  /** External providers for signing in */
  readonly "federation.providers": { readonly input: {  }; readonly answer: { readonly items: ReadonlyArray<OutsideProvider> } }
  /**
   * Start a sign-in through an external provider
   *
   * @example
   * await signalbox("federation.start", {
   *   "path": {
   *     "provider": "google"
   *   }
   * })
   */
  readonly "federation.start": { readonly input: { readonly path: { readonly provider: string | number | boolean }; readonly query?: { readonly return_to?: string | number | boolean } }; readonly answer: undefined }
  /**
   * Callback of an external provider
   *
   * @example
   * await signalbox("federation.callback", {
   *   "path": {
   *     "provider": "google"
   *   }
   * })
   */
  readonly "federation.callback": { readonly input: { readonly path: { readonly provider: string | number | boolean }; readonly query?: { readonly state?: string | number | boolean; readonly code?: string | number | boolean; readonly iss?: string | number | boolean; readonly error?: string | number | boolean } }; readonly answer: undefined }
  /** External providers connected with the caller's account */
  readonly "linked-providers.list": { readonly input: {  }; readonly answer: { readonly items: ReadonlyArray<LinkedProvider> } }
  /**
   * Connect an external provider with the caller's account
   *
   * @example
   * await signalbox("linked-providers.connect", {
   *   "path": {
   *     "provider": "google"
   *   },
   *   "body": {
   *     "return_to": "/console/"
   *   }
   * })
   */
  readonly "linked-providers.connect": { readonly input: { readonly path: { readonly provider: string | number | boolean }; readonly body: ({ readonly return_to?: string }) | (null) }; readonly answer: { readonly url: string } }
  /**
   * Disconnect an external provider from the caller's account
   *
   * @example
   * await signalbox("linked-providers.disconnect", {
   *   "path": {
   *     "provider": "google"
   *   }
   * })
   */
  readonly "linked-providers.disconnect": { readonly input: { readonly path: { readonly provider: string | number | boolean } }; readonly answer: undefined }
  /** Users, newest first */
  readonly "users.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly tenant_id?: string | number | boolean; readonly role?: "admin" | "reseller" | "customer" | "user" | "support"; readonly state?: "active" | "suspended"; readonly q?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<User>; readonly next_before: (number) | (null) } }
  /**
   * Create a user
   *
   * @example
   * await signalbox("users.create", {
   *   "body": {
   *     "email": "anna@example.org",
   *     "name": "Anna Example",
   *     "role": "admin",
   *     "locale": "en",
   *     "time_zone": "Europe/Berlin",
   *     "password": "four-words-in-a-row",
   *     "tenant_id": 1
   *   }
   * })
   */
  readonly "users.create": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly email: string; readonly name: string; readonly role: "admin" | "reseller" | "customer" | "user" | "support"; readonly locale?: string; readonly time_zone?: (string) | (null); readonly password?: string; readonly tenant_id?: number } }; readonly answer: User }
  /**
   * One user
   *
   * @example
   * await signalbox("users.show", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "users.show": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly query?: { readonly tenant_id?: string | number | boolean } }; readonly answer: User }
  /**
   * Change a user
   *
   * @example
   * await signalbox("users.update", {
   *   "path": {
   *     "id": "7"
   *   },
   *   "body": {
   *     "email": "anna@example.org",
   *     "name": "Anna Example",
   *     "role": "admin",
   *     "locale": "en",
   *     "time_zone": "Europe/Berlin"
   *   }
   * })
   */
  readonly "users.update": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly query?: { readonly tenant_id?: string | number | boolean }; readonly body: { readonly email?: string; readonly name?: string; readonly role?: "admin" | "reseller" | "customer" | "user" | "support"; readonly locale?: string; readonly time_zone?: (string) | (null) } }; readonly answer: User }
  /**
   * Delete a user
   *
   * @example
   * await signalbox("users.remove", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "users.remove": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly query?: { readonly tenant_id?: string | number | boolean } }; readonly answer: undefined }
  /**
   * Suspend a user
   *
   * @example
   * await signalbox("users.suspend", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "users.suspend": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly query?: { readonly tenant_id?: string | number | boolean } }; readonly answer: User }
  /**
   * Reactivate a suspended user
   *
   * @example
   * await signalbox("users.unsuspend", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "users.unsuspend": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly query?: { readonly tenant_id?: string | number | boolean } }; readonly answer: User }
  /**
   * Set a user's password
   *
   * @example
   * await signalbox("users.password", {
   *   "path": {
   *     "id": "7"
   *   },
   *   "body": {
   *     "password": "four-words-in-a-row"
   *   }
   * })
   */
  readonly "users.password": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly query?: { readonly tenant_id?: string | number | boolean }; readonly body: { readonly password: string } }; readonly answer: undefined }
  /**
   * Create a one-time sign-in link for a user
   *
   * @example
   * await signalbox("users.link", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "users.link": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly query?: { readonly tenant_id?: string | number | boolean } }; readonly answer: { readonly url: string; readonly purpose: "invitation" | "reset"; readonly expires_at: string } }
  /**
   * End all sessions of a user
   *
   * @example
   * await signalbox("users.signOut", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "users.signOut": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly query?: { readonly tenant_id?: string | number | boolean } }; readonly answer: { readonly ended_sessions: number } }
  /**
   * Sessions of a user
   *
   * @example
   * await signalbox("users.sessions", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "users.sessions": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly query?: { readonly tenant_id?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<UserSession> } }
  /**
   * End a session of a user
   *
   * @example
   * await signalbox("users.endSession", {
   *   "path": {
   *     "id": "7",
   *     "session": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "users.endSession": { readonly input: { readonly path: { readonly id: string | number | boolean; readonly session: string | number | boolean }; readonly query?: { readonly tenant_id?: string | number | boolean } }; readonly answer: undefined }
  /** Roles and their permissions inside a tenant */
  readonly "roles.roles": { readonly input: {  }; readonly answer: { readonly items: ReadonlyArray<{ readonly role: "admin" | "reseller" | "customer" | "user" | "support"; readonly permissions: ReadonlyArray<"users.read" | "users.manage" | "tenants.read" | "tenants.manage" | "service_tokens.manage" | "audit.read" | "settings.manage" | "workflows.manage" | "alarms.urgent" | "calls.any" | "notifications.manage" | "mail.read" | "mail.manage" | "webmail.use" | "domains.read" | "domains.manage" | "dns.read" | "dns.manage" | "hosting.read" | "hosting.manage" | "sip.read" | "sip.manage" | "sip.credentials.read" | "sip.credentials.write" | "customers.read" | "customers.manage" | "provisioning.client_tokens.create" | "provisioning.client_tokens.read" | "provisioning.read" | "provisioning.manage" | "ebics.view" | "ebics.manage" | "ebics.fetch" | "ebics.reconcile" | "wakeword.read" | "wakeword.manage" | "ocr.read" | "ocr.process" | "backups.read" | "backups.manage" | "system.read" | "system.manage" | "security.read" | "security.manage" | "coder.use" | "spaces.use"> }> } }
  /** Tenants, newest first */
  readonly "tenants.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<Tenant>; readonly next_before: (number) | (null) } }
  /**
   * Create a tenant
   *
   * @example
   * await signalbox("tenants.create", {
   *   "body": {
   *     "name": "Example Ltd"
   *   }
   * })
   */
  readonly "tenants.create": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly name: string } }; readonly answer: Tenant }
  /**
   * One tenant
   *
   * @example
   * await signalbox("tenants.show", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "tenants.show": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: Tenant }
  /**
   * Rename a tenant
   *
   * @example
   * await signalbox("tenants.rename", {
   *   "path": {
   *     "id": "7"
   *   },
   *   "body": {
   *     "name": "Example Ltd"
   *   }
   * })
   */
  readonly "tenants.rename": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly body: { readonly name: string } }; readonly answer: Tenant }
  /**
   * Suspend a tenant
   *
   * @example
   * await signalbox("tenants.suspend", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "tenants.suspend": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: Tenant }
  /**
   * Reactivate a suspended tenant
   *
   * @example
   * await signalbox("tenants.unsuspend", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "tenants.unsuspend": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: Tenant }
  /** Service tokens, newest first */
  readonly "service-tokens.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<ServiceToken>; readonly next_before: (number) | (null) } }
  /**
   * Create a service token
   *
   * @example
   * await signalbox("service-tokens.create", {
   *   "body": {
   *     "name": "Example",
   *     "scopes": [
   *       "platform"
   *     ],
   *     "expires_in": 1,
   *     "expires_at": "2030-01-31T12:00:00Z"
   *   }
   * })
   */
  readonly "service-tokens.create": { readonly input: { readonly body: { readonly name: string; readonly scopes: ReadonlyArray<unknown>; readonly expires_in?: number; readonly expires_at?: string } }; readonly answer: { readonly id: number; readonly name: string; readonly scopes: ReadonlyArray<string>; readonly state: "valid" | "expired" | "revoked"; readonly created_at: string; readonly expires_at: (string) | (null); readonly revoked_at: (string) | (null); readonly last_used_at: (string) | (null); readonly token: string } }
  /**
   * One service token
   *
   * @example
   * await signalbox("service-tokens.show", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "service-tokens.show": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: ServiceToken }
  /**
   * Revoke a service token
   *
   * @example
   * await signalbox("service-tokens.revoke", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "service-tokens.revoke": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: undefined }
  /** Audit log, newest first */
  readonly "audit.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly tenant_id?: string | number | boolean; readonly action?: string | number | boolean; readonly actor?: string | number | boolean; readonly entity_type?: string | number | boolean; readonly entity_id?: string | number | boolean; readonly since?: string | number | boolean; readonly until?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<AuditEntry>; readonly next_before: (number) | (null) } }
  /** Preferences of the caller */
  readonly "preferences.read": { readonly input: {  }; readonly answer: Preferences }
  /**
   * Change preferences of the caller
   *
   * @example
   * await signalbox("preferences.write", {
   *   "body": {
   *     "mail_handler": "internal",
   *     "call_handler": "internal"
   *   }
   * })
   */
  readonly "preferences.write": { readonly input: { readonly body: { readonly mail_handler?: "internal" | "system" | "ask"; readonly call_handler?: "internal" | "system" | "ask" } }; readonly answer: Preferences }
  /** Settings of the installation */
  readonly "platform-settings.list": { readonly input: {  }; readonly answer: { readonly items: ReadonlyArray<PlatformSetting> } }
  /**
   * Store or remove a setting
   *
   * @example
   * await signalbox("platform-settings.change", {
   *   "path": {
   *     "name": "Example"
   *   },
   *   "body": {
   *     "value": "Hello {name}"
   *   }
   * })
   */
  readonly "platform-settings.change": { readonly input: { readonly path: { readonly name: string | number | boolean }; readonly body: { readonly value: (string) | (null) } }; readonly answer: PlatformSetting }
  /**
   * Try settings of a group
   *
   * @example
   * await signalbox("platform-settings.test", {
   *   "path": {
   *     "group": "monitoring"
   *   },
   *   "body": {
   *     "values": {
   *       "text": "text"
   *     },
   *     "to": "ben@example.net"
   *   }
   * })
   */
  readonly "platform-settings.test": { readonly input: { readonly path: { readonly group: string | number | boolean }; readonly body: { readonly values?: Readonly<Record<string, (string) | (null)>>; readonly to?: (string) | (null) } }; readonly answer: { readonly ok: boolean; readonly items: ReadonlyArray<PlatformSettingTestResult> } }
  /** Name, logo and colour of the installation */
  readonly "branding.show": { readonly input: {  }; readonly answer: Branding }
  /** Set-up list of the installation */
  readonly "setup.list": { readonly input: {  }; readonly answer: { readonly items: ReadonlyArray<SetupStep>; readonly open: number } }
  /**
   * Skip a set-up step, or want it again
   *
   * @example
   * await signalbox("setup.change", {
   *   "path": {
   *     "name": "Example"
   *   },
   *   "body": {
   *     "skipped": true
   *   }
   * })
   */
  readonly "setup.change": { readonly input: { readonly path: { readonly name: string | number | boolean }; readonly body: { readonly skipped: boolean } }; readonly answer: SetupStep }
  /** Mail domains, newest first */
  readonly "domains.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<MailDomain>; readonly next_before: (number) | (null) } }
  /**
   * Create a mail domain
   *
   * @example
   * await signalbox("domains.create", {
   *   "body": {
   *     "domain": "example.org",
   *     "customer_id": 1,
   *     "tenant_id": 1
   *   }
   * })
   */
  readonly "domains.create": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly domain: string; readonly customer_id: number; readonly tenant_id?: number } }; readonly answer: MailDomain }
  /**
   * One mail domain
   *
   * @example
   * await signalbox("domains.show", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "domains.show": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: MailDomain }
  /**
   * Delete a mail domain
   *
   * @example
   * await signalbox("domains.remove", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "domains.remove": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly query?: { readonly force?: "true" | "false" } }; readonly answer: undefined }
  /**
   * Look for the TXT record of the challenge soon
   *
   * @example
   * await signalbox("domains.checkOwnership", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "domains.checkOwnership": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: MailDomain }
  /**
   * Assert the ownership of a mail domain
   *
   * @example
   * await signalbox("domains.assert", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "domains.assert": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: MailDomain }
  /**
   * Create the next DKIM key
   *
   * @example
   * await signalbox("domains.rotate", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "domains.rotate": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: MailDomain }
  /**
   * Sign with the next DKIM key
   *
   * @example
   * await signalbox("domains.activate", {
   *   "path": {
   *     "id": "7",
   *     "selector": "mail2"
   *   }
   * })
   */
  readonly "domains.activate": { readonly input: { readonly path: { readonly id: string | number | boolean; readonly selector: string | number | boolean } }; readonly answer: MailDomain }
  /**
   * Mailboxes of a domain, newest first
   *
   * @example
   * await signalbox("domainAccounts.list", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "domainAccounts.list": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<MailAccount>; readonly next_before: (number) | (null) } }
  /**
   * Create a mailbox
   *
   * @example
   * await signalbox("domainAccounts.create", {
   *   "path": {
   *     "id": "7"
   *   },
   *   "body": {
   *     "local_part": "anna",
   *     "password": "four-words-in-a-row",
   *     "quota_mb": 1024,
   *     "user_id": 7
   *   }
   * })
   */
  readonly "domainAccounts.create": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly local_part: string; readonly password: string; readonly quota_mb?: (number) | (null); readonly user_id?: number } }; readonly answer: MailAccount }
  /**
   * One mailbox
   *
   * @example
   * await signalbox("accounts.show", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "accounts.show": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: MailAccount }
  /**
   * Set a mailbox's password, quota or user
   *
   * @example
   * await signalbox("accounts.update", {
   *   "path": {
   *     "id": "7"
   *   },
   *   "body": {
   *     "password": "four-words-in-a-row",
   *     "quota_mb": 1024,
   *     "user_id": 7
   *   }
   * })
   */
  readonly "accounts.update": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly body: { readonly password?: string; readonly quota_mb?: (number) | (null); readonly user_id?: (number) | (null) } }; readonly answer: MailAccount }
  /**
   * Delete a mailbox
   *
   * @example
   * await signalbox("accounts.remove", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "accounts.remove": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: undefined }
  /**
   * Suspend a mailbox
   *
   * @example
   * await signalbox("accounts.suspend", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "accounts.suspend": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: MailAccount }
  /**
   * Reactivate a suspended mailbox
   *
   * @example
   * await signalbox("accounts.unsuspend", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "accounts.unsuspend": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: MailAccount }
  /**
   * Aliases of a domain, newest first
   *
   * @example
   * await signalbox("domainAliases.list", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "domainAliases.list": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<MailAlias>; readonly next_before: (number) | (null) } }
  /**
   * Create an alias
   *
   * @example
   * await signalbox("domainAliases.create", {
   *   "path": {
   *     "id": "7"
   *   },
   *   "body": {
   *     "source": "info",
   *     "destination": "anna@example.org"
   *   }
   * })
   */
  readonly "domainAliases.create": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly source: string; readonly destination: string } }; readonly answer: MailAlias }
  /**
   * One alias
   *
   * @example
   * await signalbox("aliases.show", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "aliases.show": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: MailAlias }
  /**
   * Delete an alias
   *
   * @example
   * await signalbox("aliases.remove", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "aliases.remove": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: undefined }
  /** Banned addresses, newest first */
  readonly "bans.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<MailBan>; readonly next_before: (number) | (null) } }
  /**
   * Lift a ban
   *
   * @example
   * await signalbox("bans.lift", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "bans.lift": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: undefined }
  /**
   * Dovecot's authentication policy server
   *
   * @example
   * await signalbox("authPolicy.authPolicy", {
   *   "query": {
   *     "command": "allow"
   *   },
   *   "body": {
   *     "login": "anna@example.org",
   *     "remote": "text",
   *     "mech": "text",
   *     "success": true,
   *     "policy_reject": true,
   *     "fail_type": "text"
   *   }
   * })
   */
  readonly "authPolicy.authPolicy": { readonly input: { readonly query: { readonly command: "allow" | "report" }; readonly body: { readonly login?: string; readonly remote?: string; readonly mech?: string; readonly success?: boolean; readonly policy_reject?: boolean; readonly fail_type?: string } }; readonly answer: { readonly status: 0; readonly msg: string } }
  /**
   * App passwords of a mailbox, newest first
   *
   * @example
   * await signalbox("appPasswords.list", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "appPasswords.list": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<MailAppPassword> } }
  /**
   * End an app password
   *
   * @example
   * await signalbox("appPasswords.remove", {
   *   "path": {
   *     "id": "7",
   *     "password": "3"
   *   }
   * })
   */
  readonly "appPasswords.remove": { readonly input: { readonly path: { readonly id: string | number | boolean; readonly password: string | number | boolean } }; readonly answer: undefined }
  /** App passwords of the caller's own mailboxes, newest first */
  readonly "ownAppPasswords.list": { readonly input: {  }; readonly answer: { readonly items: ReadonlyArray<MailAppPassword> } }
  /**
   * End an app password of the caller's own mailbox
   *
   * @example
   * await signalbox("ownAppPasswords.remove", {
   *   "path": {
   *     "password": "3"
   *   }
   * })
   */
  readonly "ownAppPasswords.remove": { readonly input: { readonly path: { readonly password: string | number | boolean } }; readonly answer: undefined }
  /** Settings of a mail program, by autoconfig.<domain> */
  readonly "autoconfig.config": { readonly input: { readonly query?: { readonly emailaddress?: string | number | boolean } }; readonly answer: string | Uint8Array<ArrayBuffer> }
  /** Settings of a mail program, by the domain itself */
  readonly "autoconfig.wellKnown": { readonly input: { readonly query?: { readonly emailaddress?: string | number | boolean } }; readonly answer: string | Uint8Array<ArrayBuffer> }
  /** Your mail accounts, newest first */
  readonly "webmailAccounts.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly tenant_id?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<WebmailAccount>; readonly next_before: (number) | (null) } }
  /**
   * Add a mailbox at another provider
   *
   * @example
   * await signalbox("webmailAccounts.create", {
   *   "body": {
   *     "address": "anna@example.org",
   *     "imap_host": "imap.example.org",
   *     "imap_port": 993,
   *     "smtp_host": "smtp.example.org",
   *     "smtp_port": 465,
   *     "login": "anna@example.org",
   *     "password": "four-words-in-a-row",
   *     "display_name": "Anna Example",
   *     "watch": "always",
   *     "tenant_id": 1,
   *     "user_id": 7
   *   }
   * })
   */
  readonly "webmailAccounts.create": { readonly input: { readonly query?: { readonly verify?: "true" | "false" }; readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly address: string; readonly imap_host: string; readonly imap_port?: number; readonly smtp_host?: (string) | (null); readonly smtp_port?: number; readonly login?: (string) | (null); readonly password: string; readonly display_name?: string; readonly watch?: "always" | "lazy"; readonly tenant_id?: number; readonly user_id?: number } }; readonly answer: WebmailAccount }
  /**
   * One of your mail accounts
   *
   * @example
   * await signalbox("webmailAccounts.show", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "webmailAccounts.show": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: WebmailAccount }
  /**
   * Change a mail account
   *
   * @example
   * await signalbox("webmailAccounts.update", {
   *   "path": {
   *     "id": "7"
   *   },
   *   "body": {
   *     "address": "anna@example.org",
   *     "imap_host": "imap.example.org",
   *     "imap_port": 993,
   *     "smtp_host": "smtp.example.org",
   *     "smtp_port": 465,
   *     "login": "anna@example.org",
   *     "password": "four-words-in-a-row",
   *     "display_name": "Anna Example",
   *     "watch": "always"
   *   }
   * })
   */
  readonly "webmailAccounts.update": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly query?: { readonly verify?: "true" | "false" }; readonly body: { readonly address?: string; readonly imap_host?: string; readonly imap_port?: number; readonly smtp_host?: (string) | (null); readonly smtp_port?: number; readonly login?: (string) | (null); readonly password?: string; readonly display_name?: string; readonly watch?: "always" | "lazy" } }; readonly answer: WebmailAccount }
  /**
   * Delete a mailbox at another provider
   *
   * @example
   * await signalbox("webmailAccounts.remove", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "webmailAccounts.remove": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: undefined }
  /**
   * Make a mail account the default
   *
   * @example
   * await signalbox("webmailAccounts.makeDefault", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "webmailAccounts.makeDefault": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: WebmailAccount }
  /** Folders with message counts */
  readonly "webmailReading.folders": { readonly input: { readonly query?: { readonly account?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<WebmailFolder> } }
  /**
   * Create a folder
   *
   * @example
   * await signalbox("webmailFolderChanges.create", {
   *   "body": {
   *     "folder": "INBOX"
   *   }
   * })
   */
  readonly "webmailFolderChanges.create": { readonly input: { readonly query?: { readonly account?: string | number | boolean }; readonly body: { readonly folder: string } }; readonly answer: NamedFolder }
  /**
   * Messages of a folder, newest first
   *
   * @example
   * await signalbox("webmailReading.list", {
   *   "path": {
   *     "folder": "INBOX"
   *   }
   * })
   */
  readonly "webmailReading.list": { readonly input: { readonly path: { readonly folder: string | number | boolean }; readonly query?: { readonly account?: string | number | boolean; readonly page?: string | number | boolean; readonly per_page?: string | number | boolean; readonly sort?: "date" | "from" | "subject" | "size"; readonly order?: "asc" | "desc"; readonly unseen?: "true" | "false"; readonly flagged?: "true" | "false" } }; readonly answer: WebmailPage }
  /**
   * One message
   *
   * @example
   * await signalbox("webmailReading.show", {
   *   "path": {
   *     "folder": "INBOX",
   *     "uid": "42"
   *   }
   * })
   */
  readonly "webmailReading.show": { readonly input: { readonly path: { readonly folder: string | number | boolean; readonly uid: string | number | boolean }; readonly query?: { readonly account?: string | number | boolean; readonly images?: "block" | "show"; readonly mark_seen?: "true" | "false" } }; readonly answer: WebmailMessage }
  /**
   * Move a message to the trash
   *
   * @example
   * await signalbox("webmailChanges.remove", {
   *   "path": {
   *     "folder": "INBOX",
   *     "uid": "42"
   *   }
   * })
   */
  readonly "webmailChanges.remove": { readonly input: { readonly path: { readonly folder: string | number | boolean; readonly uid: string | number | boolean }; readonly query?: { readonly account?: string | number | boolean } }; readonly answer: RemovedMessage }
  /**
   * Raw source of a message
   *
   * @example
   * await signalbox("webmailReading.raw", {
   *   "path": {
   *     "folder": "INBOX",
   *     "uid": "42"
   *   }
   * })
   */
  readonly "webmailReading.raw": { readonly input: { readonly path: { readonly folder: string | number | boolean; readonly uid: string | number | boolean }; readonly query?: { readonly account?: string | number | boolean } }; readonly answer: string | Uint8Array<ArrayBuffer> }
  /**
   * Decoded attachment of a message
   *
   * @example
   * await signalbox("webmailReading.attachment", {
   *   "path": {
   *     "folder": "INBOX",
   *     "uid": "42",
   *     "part": "2.1"
   *   }
   * })
   */
  readonly "webmailReading.attachment": { readonly input: { readonly path: { readonly folder: string | number | boolean; readonly uid: string | number | boolean; readonly part: string | number | boolean }; readonly query?: { readonly account?: string | number | boolean; readonly inline?: "true" | "false" } }; readonly answer: string | Uint8Array<ArrayBuffer> }
  /** Search a folder */
  readonly "webmailReading.search": { readonly input: { readonly query?: { readonly account?: string | number | boolean; readonly page?: string | number | boolean; readonly per_page?: string | number | boolean; readonly folder?: string | number | boolean; readonly q?: string | number | boolean; readonly from?: string | number | boolean; readonly subject?: string | number | boolean; readonly since?: string | number | boolean; readonly before?: string | number | boolean } }; readonly answer: WebmailPage }
  /**
   * Conversations of a folder, newest first
   *
   * @example
   * await signalbox("webmailReading.threads", {
   *   "path": {
   *     "folder": "INBOX"
   *   }
   * })
   */
  readonly "webmailReading.threads": { readonly input: { readonly path: { readonly folder: string | number | boolean }; readonly query?: { readonly account?: string | number | boolean; readonly page?: string | number | boolean; readonly per_page?: string | number | boolean } }; readonly answer: WebmailThreads }
  /** Watch status of your mail accounts, newest account first */
  readonly "webmailWatcher.status": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly account?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<WatchStatus>; readonly next_before: (number) | (null) } }
  /**
   * Report new mail in a mailbox
   *
   * @example
   * await signalbox("mailPush.push", {
   *   "path": {
   *     "account": "anna@example.org"
   *   }
   * })
   */
  readonly "mailPush.push": { readonly input: { readonly path: { readonly account: string | number | boolean } }; readonly answer: undefined }
  /** Signatures, newest first */
  readonly "signatures.list": { readonly input: { readonly query?: { readonly account?: string | number | boolean; readonly limit?: string | number | boolean; readonly before?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<MailSignature>; readonly next_before: (number) | (null) } }
  /**
   * Create a signature
   *
   * @example
   * await signalbox("signatures.create", {
   *   "body": {
   *     "name": "Example",
   *     "html": "<p>Hello</p>",
   *     "is_default": true,
   *     "rules": [
   *       {
   *         "match_type": "address",
   *         "match_value": "ben@example.net"
   *       }
   *     ]
   *   }
   * })
   */
  readonly "signatures.create": { readonly input: { readonly query?: { readonly account?: string | number | boolean }; readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly name: string; readonly html: string; readonly is_default?: boolean; readonly rules?: ReadonlyArray<unknown> } }; readonly answer: MailSignature }
  /**
   * Signature for mail to an address
   *
   * @example
   * await signalbox("signatures.match", {
   *   "query": {
   *     "to": "ben@example.net"
   *   }
   * })
   */
  readonly "signatures.match": { readonly input: { readonly query: { readonly account?: string | number | boolean; readonly to: string | number | boolean } }; readonly answer: MailSignature }
  /**
   * One signature
   *
   * @example
   * await signalbox("signatures.show", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "signatures.show": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly query?: { readonly account?: string | number | boolean } }; readonly answer: MailSignature }
  /**
   * Change a signature
   *
   * @example
   * await signalbox("signatures.update", {
   *   "path": {
   *     "id": "7"
   *   },
   *   "body": {
   *     "name": "Example",
   *     "html": "<p>Hello</p>",
   *     "is_default": true,
   *     "rules": [
   *       {
   *         "match_type": "address",
   *         "match_value": "ben@example.net"
   *       }
   *     ]
   *   }
   * })
   */
  readonly "signatures.update": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly query?: { readonly account?: string | number | boolean }; readonly body: { readonly name?: string; readonly html?: string; readonly is_default?: boolean; readonly rules?: ReadonlyArray<unknown> } }; readonly answer: MailSignature }
  /**
   * Delete a signature
   *
   * @example
   * await signalbox("signatures.remove", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "signatures.remove": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly query?: { readonly account?: string | number | boolean } }; readonly answer: undefined }
  /** Contacts, newest first */
  readonly "contacts.list": { readonly input: { readonly query?: { readonly account?: string | number | boolean; readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly q?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<MailContact>; readonly next_before: (number) | (null) } }
  /**
   * Create a contact
   *
   * @example
   * await signalbox("contacts.create", {
   *   "body": {
   *     "name": "Example",
   *     "company": "Example Ltd",
   *     "emails": [
   *       "anna@example.org"
   *     ],
   *     "phones": [
   *       "+493023125001"
   *     ],
   *     "websites": [
   *       "https://www.example.org/"
   *     ],
   *     "messenger": "123456",
   *     "chat_app": "493023125001",
   *     "note": "Agreed by telephone"
   *   }
   * })
   */
  readonly "contacts.create": { readonly input: { readonly query?: { readonly account?: string | number | boolean }; readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly name: string; readonly company?: string; readonly emails?: ReadonlyArray<unknown>; readonly phones?: ReadonlyArray<unknown>; readonly websites?: ReadonlyArray<unknown>; readonly messenger?: (string) | (null); readonly chat_app?: (string) | (null); readonly note?: string } }; readonly answer: MailContact }
  /** All contacts as vCards */
  readonly "contacts.exported": { readonly input: { readonly query?: { readonly account?: string | number | boolean } }; readonly answer: string | Uint8Array<ArrayBuffer> }
  /**
   * Import contacts from vCards
   *
   * @example
   * await signalbox("contacts.imported", {
   *   "body": "BEGIN:VCARD\nVERSION:4.0\nFN:Anna Example\nEND:VCARD\n"
   * })
   */
  readonly "contacts.imported": { readonly input: { readonly query?: { readonly account?: string | number | boolean }; readonly body: string | Uint8Array<ArrayBuffer> }; readonly answer: { readonly imported: number; readonly skipped: number } }
  /**
   * One contact
   *
   * @example
   * await signalbox("contacts.show", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "contacts.show": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly query?: { readonly account?: string | number | boolean } }; readonly answer: MailContact }
  /**
   * Change a contact
   *
   * @example
   * await signalbox("contacts.update", {
   *   "path": {
   *     "id": "7"
   *   },
   *   "body": {
   *     "name": "Example",
   *     "company": "Example Ltd",
   *     "emails": [
   *       "anna@example.org"
   *     ],
   *     "phones": [
   *       "+493023125001"
   *     ],
   *     "websites": [
   *       "https://www.example.org/"
   *     ],
   *     "messenger": "123456",
   *     "chat_app": "493023125001",
   *     "note": "Agreed by telephone"
   *   }
   * })
   */
  readonly "contacts.update": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly query?: { readonly account?: string | number | boolean }; readonly body: { readonly name?: string; readonly company?: string; readonly emails?: ReadonlyArray<unknown>; readonly phones?: ReadonlyArray<unknown>; readonly websites?: ReadonlyArray<unknown>; readonly messenger?: (string) | (null); readonly chat_app?: (string) | (null); readonly note?: string } }; readonly answer: MailContact }
  /**
   * Delete a contact
   *
   * @example
   * await signalbox("contacts.remove", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "contacts.remove": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly query?: { readonly account?: string | number | boolean } }; readonly answer: undefined }
  /** Suggest recipients by name or address */
  readonly "webmailPeople.search": { readonly input: { readonly query?: { readonly account?: string | number | boolean; readonly q?: string | number | boolean; readonly limit?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<MailPerson> } }
  /** Sanitised parameters of a compose link */
  readonly "webmailCompose.compose": { readonly input: { readonly query?: { readonly account?: string | number | boolean; readonly to?: string | number | boolean; readonly cc?: string | number | boolean; readonly subject?: string | number | boolean; readonly body?: string | number | boolean; readonly mailto?: string | number | boolean } }; readonly answer: MailCompose }
  /**
   * Move a message to another folder
   *
   * @example
   * await signalbox("webmailChanges.move", {
   *   "path": {
   *     "folder": "INBOX",
   *     "uid": "42"
   *   },
   *   "body": {
   *     "target": "+493023125001"
   *   }
   * })
   */
  readonly "webmailChanges.move": { readonly input: { readonly path: { readonly folder: string | number | boolean; readonly uid: string | number | boolean }; readonly query?: { readonly account?: string | number | boolean }; readonly body: { readonly target: string } }; readonly answer: MovedMessage }
  /**
   * Set a message's flags
   *
   * @example
   * await signalbox("webmailChanges.flags", {
   *   "path": {
   *     "folder": "INBOX",
   *     "uid": "42"
   *   },
   *   "body": {
   *     "flags": [
   *       "text"
   *     ],
   *     "mode": "set"
   *   }
   * })
   */
  readonly "webmailChanges.flags": { readonly input: { readonly path: { readonly folder: string | number | boolean; readonly uid: string | number | boolean }; readonly query?: { readonly account?: string | number | boolean }; readonly body: { readonly flags: ReadonlyArray<unknown>; readonly mode?: "set" | "add" | "remove" } }; readonly answer: FlaggedMessage }
  /**
   * Change many messages of a folder at once
   *
   * @example
   * await signalbox("webmailChanges.bulk", {
   *   "path": {
   *     "folder": "INBOX"
   *   },
   *   "body": {
   *     "uids": [
   *       42
   *     ],
   *     "action": "move",
   *     "target": "+493023125001",
   *     "flags": [
   *       "text"
   *     ],
   *     "mode": "set"
   *   }
   * })
   */
  readonly "webmailChanges.bulk": { readonly input: { readonly path: { readonly folder: string | number | boolean }; readonly query?: { readonly account?: string | number | boolean }; readonly body: { readonly uids: ReadonlyArray<unknown>; readonly action: "move" | "delete" | "flags"; readonly target?: string; readonly flags?: ReadonlyArray<unknown>; readonly mode?: "set" | "add" | "remove" } }; readonly answer: BulkChange }
  /**
   * Rename or move a folder
   *
   * @example
   * await signalbox("webmailFolderChanges.rename", {
   *   "path": {
   *     "folder": "INBOX"
   *   },
   *   "body": {
   *     "folder": "INBOX"
   *   }
   * })
   */
  readonly "webmailFolderChanges.rename": { readonly input: { readonly path: { readonly folder: string | number | boolean }; readonly query?: { readonly account?: string | number | boolean; readonly force?: "true" | "false" }; readonly body: { readonly folder: string } }; readonly answer: NamedFolder }
  /**
   * Delete a folder and its messages
   *
   * @example
   * await signalbox("webmailFolderChanges.remove", {
   *   "path": {
   *     "folder": "INBOX"
   *   }
   * })
   */
  readonly "webmailFolderChanges.remove": { readonly input: { readonly path: { readonly folder: string | number | boolean }; readonly query?: { readonly account?: string | number | boolean; readonly force?: "true" | "false" } }; readonly answer: undefined }
  /**
   * Delete all messages in trash or junk
   *
   * @example
   * await signalbox("webmailFolderChanges.empty", {
   *   "path": {
   *     "folder": "INBOX"
   *   }
   * })
   */
  readonly "webmailFolderChanges.empty": { readonly input: { readonly path: { readonly folder: string | number | boolean }; readonly query?: { readonly account?: string | number | boolean } }; readonly answer: EmptiedFolder }
  /**
   * Send a mail
   *
   * @example
   * await signalbox("webmailSend.send", {
   *   "body": {
   *     "to": [
   *       "ben@example.net"
   *     ],
   *     "cc": [
   *       "ben@example.net"
   *     ],
   *     "bcc": [
   *       "carl@example.org"
   *     ],
   *     "subject": "Hello",
   *     "html": "<p>Hello</p>",
   *     "plain": "Hello",
   *     "in_reply_to": "<20300131120000.1@example.org>",
   *     "reply_to": "office@example.org",
   *     "from_name": "Anna Example",
   *     "attachments": [
   *       "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *     ],
   *     "draft": 1,
   *     "draft_key": "c2VjcmV0LXNlY3JldC1zZWNyZXQ"
   *   }
   * })
   */
  readonly "webmailSend.send": { readonly input: { readonly query?: { readonly account?: string | number | boolean }; readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: Mail }; readonly answer: SentMail }
  /**
   * Store a draft
   *
   * @example
   * await signalbox("webmailDrafts.create", {
   *   "body": {
   *     "to": [
   *       "ben@example.net"
   *     ],
   *     "cc": [
   *       "ben@example.net"
   *     ],
   *     "bcc": [
   *       "carl@example.org"
   *     ],
   *     "subject": "Hello",
   *     "html": "<p>Hello</p>",
   *     "plain": "Hello",
   *     "in_reply_to": "<20300131120000.1@example.org>",
   *     "reply_to": "office@example.org",
   *     "from_name": "Anna Example",
   *     "attachments": [
   *       "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *     ],
   *     "draft_key": "c2VjcmV0LXNlY3JldC1zZWNyZXQ"
   *   }
   * })
   */
  readonly "webmailDrafts.create": { readonly input: { readonly query?: { readonly account?: string | number | boolean }; readonly body: DraftMail }; readonly answer: KeptDraft }
  /**
   * Replace a draft
   *
   * @example
   * await signalbox("webmailDrafts.replace", {
   *   "path": {
   *     "uid": "42"
   *   },
   *   "body": {
   *     "to": [
   *       "ben@example.net"
   *     ],
   *     "cc": [
   *       "ben@example.net"
   *     ],
   *     "bcc": [
   *       "carl@example.org"
   *     ],
   *     "subject": "Hello",
   *     "html": "<p>Hello</p>",
   *     "plain": "Hello",
   *     "in_reply_to": "<20300131120000.1@example.org>",
   *     "reply_to": "office@example.org",
   *     "from_name": "Anna Example",
   *     "attachments": [
   *       "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *     ],
   *     "draft_key": "c2VjcmV0LXNlY3JldC1zZWNyZXQ"
   *   }
   * })
   */
  readonly "webmailDrafts.replace": { readonly input: { readonly path: { readonly uid: string | number | boolean }; readonly query?: { readonly account?: string | number | boolean }; readonly body: DraftMail }; readonly answer: KeptDraft }
  /**
   * Delete a draft permanently
   *
   * @example
   * await signalbox("webmailDrafts.remove", {
   *   "path": {
   *     "uid": "42"
   *   }
   * })
   */
  readonly "webmailDrafts.remove": { readonly input: { readonly path: { readonly uid: string | number | boolean }; readonly query?: { readonly account?: string | number | boolean } }; readonly answer: undefined }
  /**
   * Send a draft as it is
   *
   * @example
   * await signalbox("webmailDrafts.send", {
   *   "path": {
   *     "uid": "42"
   *   }
   * })
   */
  readonly "webmailDrafts.send": { readonly input: { readonly path: { readonly uid: string | number | boolean }; readonly query?: { readonly account?: string | number | boolean }; readonly header?: { readonly "idempotency-key"?: string | number | boolean } }; readonly answer: SentMail }
  /** Uploaded files not sent yet, newest first */
  readonly "webmailUploads.list": { readonly input: { readonly query?: { readonly account?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<Upload> } }
  /** Upload a file for a mail */
  readonly "webmailUploads.create": { readonly input: { readonly query?: { readonly account?: string | number | boolean; readonly name?: string | number | boolean } }; readonly answer: Upload }
  /**
   * Delete an uploaded file
   *
   * @example
   * await signalbox("webmailUploads.remove", {
   *   "path": {
   *     "id": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "webmailUploads.remove": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly query?: { readonly account?: string | number | boolean } }; readonly answer: undefined }
  /** State of the alarm mailboxes and the SMTP listener in this process */
  readonly "alarm-bridge.status": { readonly input: {  }; readonly answer: BridgeStatus }
  /**
   * Start a workflow
   *
   * @example
   * await signalbox("workflows.trigger", {
   *   "body": {
   *     "event_type": "email.alarm.received",
   *     "payload": {
   *       "email_subject": "CRITICAL:MESSENGER+123456;RETRY:3x5m",
   *       "email_body": "Disk full on db1",
   *       "email_from": "ops@example.org"
   *     }
   *   }
   * })
   */
  readonly "workflows.trigger": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly event_type: string; readonly payload: ({ readonly email_subject: string; readonly email_body: string; readonly email_from: string }) | (Readonly<Record<string, unknown>>) } }; readonly answer: TriggerResponse }
  /** Workflows with their runs of the last 24 hours */
  readonly "workflows.registry": { readonly input: {  }; readonly answer: { readonly items: ReadonlyArray<Workflow> } }
  /** Number of runs in a period, by state and severity */
  readonly "workflows.statistics": { readonly input: { readonly query?: { readonly since?: string | number | boolean; readonly until?: string | number | boolean; readonly buckets?: string | number | boolean; readonly workflow?: string | number | boolean } }; readonly answer: WorkflowStatistics }
  /** Runs, newest first */
  readonly "workflows.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly workflow?: string | number | boolean; readonly state?: "running" | "done" | "delivered" | "partly_delivered" | "failed" | "uncertain" | "acknowledged" | "rejected" | "duplicate" | "acknowledgement"; readonly severity?: "ALERT" | "CRITICAL" | "WARNING" | "INFO"; readonly acknowledged?: "true" | "false"; readonly q?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<{ readonly id: string; readonly seq: (number); readonly workflow: string; readonly event_type: string; readonly state: "running" | "done" | "delivered" | "partly_delivered" | "failed" | "uncertain" | "acknowledged" | "rejected" | "duplicate" | "acknowledgement"; readonly reason: (string) | (null); readonly severity: (string) | (null); readonly subject: string; readonly title: string; readonly sender: string; readonly target_count: number; readonly delivered_count: number; readonly received_at: string; readonly created_at: string; readonly finished_at: (string) | (null); readonly acknowledged_at: (string) | (null); readonly acknowledged_by: (string) | (null); readonly acknowledged_name: (string) | (null); readonly targets: ReadonlyArray<{ readonly channel: string; readonly target: string; readonly state: "pending" | "attempting" | "delivered" | "failed" | "uncertain" | "suppressed"; readonly position: number }> }>; readonly next_before: (number) | (null) } }
  /**
   * One run with its steps, and every target and attempt
   *
   * @example
   * await signalbox("workflows.show", {
   *   "path": {
   *     "id": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "workflows.show": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: { readonly id: string; readonly seq: (number); readonly workflow: string; readonly event_type: string; readonly state: "running" | "done" | "delivered" | "partly_delivered" | "failed" | "uncertain" | "acknowledged" | "rejected" | "duplicate" | "acknowledgement"; readonly reason: (string) | (null); readonly severity: (string) | (null); readonly subject: string; readonly title: string; readonly sender: string; readonly target_count: number; readonly delivered_count: number; readonly received_at: string; readonly created_at: string; readonly finished_at: (string) | (null); readonly acknowledged_at: (string) | (null); readonly acknowledged_by: (string) | (null); readonly acknowledged_name: (string) | (null); readonly targets: ReadonlyArray<{ readonly channel: string; readonly target: string; readonly state: "pending" | "attempting" | "delivered" | "failed" | "uncertain" | "suppressed"; readonly reason: (string) | (null); readonly due_at: (string) | (null); readonly position: number; readonly fallback_of: (number) | (null); readonly options: { readonly tts_provider?: "local_fast" | "local_gpu" | "cloud"; readonly tts_voice?: string; readonly gateway?: string; readonly pause_ms?: number; readonly repeat?: number; readonly language?: "en" | "de"; readonly caption?: string }; readonly possible_second: boolean; readonly attempts: ReadonlyArray<{ readonly number: number; readonly state: "attempting" | "delivered" | "failed" | "uncertain" | "interrupted"; readonly started_at: string; readonly finished_at: (string) | (null); readonly detail: (string) | (null) }> }>; readonly body: string; readonly mode: string; readonly retry: ({ readonly attempts: number; readonly pause_minutes: (number) }) | (null); readonly source: ({ readonly kind: "imap" | "smtp" | "api" | "operator"; readonly user_id?: number; readonly mailbox?: string; readonly envelope_from?: string; readonly envelope_to?: ReadonlyArray<string>; readonly message_id?: string; readonly in_reply_to?: ReadonlyArray<string>; readonly authentication_results?: string; readonly client_address?: string; readonly authenticated?: boolean }) | ({ readonly kind: "event"; readonly event_id: string }); readonly steps: ReadonlyArray<{ readonly name: string; readonly state: "done" | "running" | "failed" | "skipped"; readonly detail?: string; readonly tries?: number; readonly at: string }> } }
  /**
   * Acknowledge a run
   *
   * @example
   * await signalbox("workflows.acknowledge", {
   *   "path": {
   *     "id": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   },
   *   "body": {
   *     "note": "Agreed by telephone"
   *   }
   * })
   */
  readonly "workflows.acknowledge": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly body: (AcknowledgeRequest) | (null) }; readonly answer: AcknowledgeResponse }
  /**
   * Call and speak
   *
   * @example
   * await signalbox("comm.call", {
   *   "body": {
   *     "target": "+493023125001",
   *     "text": "Disk full on db1",
   *     "language": "en",
   *     "tts_provider": "local_fast",
   *     "tts_voice": "de",
   *     "gateway": "provider",
   *     "pause_ms": 250,
   *     "repeat": 1
   *   }
   * })
   */
  readonly "comm.call": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: CallRequest }; readonly answer: CallResponse }
  /**
   * Send a message
   *
   * @example
   * await signalbox("comm.messenger", {
   *   "body": {
   *     "chat_id": "123456",
   *     "text": "Disk full on db1",
   *     "severity": ""
   *   }
   * })
   */
  readonly "comm.messenger": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: MessengerRequest }; readonly answer: DispatchResponse }
  /**
   * Send a voice message
   *
   * @example
   * await signalbox("comm.messengerVoice", {
   *   "body": {
   *     "chat_id": "123456",
   *     "text": "Disk full on db1",
   *     "caption": "Disk full",
   *     "tts_provider": "local_fast",
   *     "tts_voice": "de"
   *   }
   * })
   */
  readonly "comm.messengerVoice": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: MessengerVoiceRequest }; readonly answer: DispatchResponse }
  /**
   * Send to several targets
   *
   * @example
   * await signalbox("comm.notify", {
   *   "body": {
   *     "channels": [
   *       {
   *         "channel": "messenger",
   *         "target": "123456",
   *         "fallback": [
   *           {
   *             "channel": "call",
   *             "target": "+493023125001"
   *           }
   *         ]
   *       },
   *       {
   *         "channel": "webhook",
   *         "target": "https://hooks.example.net/alarm"
   *       }
   *     ],
   *     "text": "Disk full on db1",
   *     "severity": "CRITICAL"
   *   }
   * })
   */
  readonly "comm.notify": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: NotifyRequest }; readonly answer: DispatchResponse }
  /** Health of the channels */
  readonly "comm.health": { readonly input: {  }; readonly answer: CommHealth }
  /** Send a test message and report the health of the channels */
  readonly "comm.heartbeat": { readonly input: {  }; readonly answer: Heartbeat }
  /**
   * Show the alarm of a link
   *
   * @example
   * await signalbox("acknowledgeLinks.show", {
   *   "body": {
   *     "token": "c2VjcmV0LXNlY3JldC1zZWNyZXQ"
   *   }
   * })
   */
  readonly "acknowledgeLinks.show": { readonly input: { readonly body: AcknowledgeLinkRequest }; readonly answer: LinkedAlarm }
  /**
   * Acknowledge the alarm of a link
   *
   * @example
   * await signalbox("acknowledgeLinks.acknowledge", {
   *   "body": {
   *     "token": "c2VjcmV0LXNlY3JldC1zZWNyZXQ"
   *   }
   * })
   */
  readonly "acknowledgeLinks.acknowledge": { readonly input: { readonly body: AcknowledgeLinkRequest }; readonly answer: LinkedAlarm }
  /**
   * Send a test alarm
   *
   * @example
   * await signalbox("test-alarm.send", {
   *   "body": {
   *     "targets": [
   *       {
   *         "channel": "WEBHOOK",
   *         "target": "+493023125001"
   *       }
   *     ],
   *     "retries": {
   *       "times": 1,
   *       "every": 1
   *     },
   *     "text": "Disk full on db1"
   *   }
   * })
   */
  readonly "test-alarm.send": { readonly input: { readonly body: { readonly targets?: ReadonlyArray<{ readonly channel: "WEBHOOK" | "MESSENGER" | "MESSENGER_VOICE" | "CALL"; readonly target: string }>; readonly retries?: { readonly times: number; readonly every: number }; readonly text?: string } }; readonly answer: { readonly run_id: string; readonly subject: string } }
  /** Secrets that sign the tenant's webhooks, newest first */
  readonly "webhook-secrets.list": { readonly input: { readonly query?: { readonly tenant_id?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<WebhookSecret> } }
  /**
   * Create a new secret
   *
   * @example
   * await signalbox("webhook-secrets.rotate", {
   *   "body": {
   *     "overlap_hours": 24,
   *     "tenant_id": 1
   *   }
   * })
   */
  readonly "webhook-secrets.rotate": { readonly input: { readonly body: (RotateWebhookSecret) | (null) }; readonly answer: { readonly id: number; readonly tenant_id: number; readonly created_at: string; readonly retires_at: (string) | (null); readonly secret: string } }
  /**
   * Delete a secret
   *
   * @example
   * await signalbox("webhook-secrets.remove", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "webhook-secrets.remove": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: undefined }
  /** Notifications, newest first */
  readonly "notifications.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly unread_only?: "true" | "false"; readonly category?: string | number | boolean; readonly user_id?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<Notification>; readonly next_before: (number) | (null) } }
  /**
   * Notify a user, or all admins of a tenant
   *
   * @example
   * await signalbox("notifications.create", {
   *   "body": {
   *     "user_id": 7,
   *     "tenant_id": 1,
   *     "type": "mail.received",
   *     "category": "text",
   *     "severity": "info",
   *     "title": "Mail is delayed",
   *     "body": "Disk full on db1",
   *     "icon": "mail",
   *     "data": {},
   *     "entity_type": "user",
   *     "entity_id": "7",
   *     "action_url": "https://www.example.org/"
   *   }
   * })
   */
  readonly "notifications.create": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly user_id?: number; readonly tenant_id?: number; readonly type: string; readonly category: string; readonly severity: "info" | "success" | "warning" | "error"; readonly title: string; readonly body: string; readonly icon?: string; readonly data?: Readonly<Record<string, unknown>>; readonly entity_type?: string; readonly entity_id?: string; readonly action_url?: string } }; readonly answer: NotificationsMade }
  /** Number of notifications, in total and unread */
  readonly "notifications.summary": { readonly input: { readonly query?: { readonly user_id?: string | number | boolean } }; readonly answer: NotificationSummary }
  /**
   * Mark as read
   *
   * @example
   * await signalbox("notifications.read", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "notifications.read": { readonly input: { readonly path: { readonly uuid: string | number | boolean } }; readonly answer: undefined }
  /**
   * Mark as unread
   *
   * @example
   * await signalbox("notifications.unread", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "notifications.unread": { readonly input: { readonly path: { readonly uuid: string | number | boolean } }; readonly answer: undefined }
  /** Mark the caller's notifications as read, all or those of a category */
  readonly "notifications.readAll": { readonly input: { readonly query?: { readonly category?: string | number | boolean } }; readonly answer: { readonly read: number; readonly read_at: string } }
  /**
   * Mark as unread what one call marked as read
   *
   * @example
   * await signalbox("notifications.unreadAll", {
   *   "query": {
   *     "read_at": "2030-01-31T12:00:00Z"
   *   }
   * })
   */
  readonly "notifications.unreadAll": { readonly input: { readonly query: { readonly read_at: string | number | boolean } }; readonly answer: { readonly unread: number } }
  /**
   * Remove a notification
   *
   * @example
   * await signalbox("notifications.remove", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "notifications.remove": { readonly input: { readonly path: { readonly uuid: string | number | boolean } }; readonly answer: undefined }
  /** Channel preferences of the caller */
  readonly "notifications.preferences": { readonly input: {  }; readonly answer: NotificationPreferences }
  /**
   * Replace the channel preferences of the caller
   *
   * @example
   * await signalbox("notifications.choose", {
   *   "body": {
   *     "items": [
   *       {
   *         "event_type": "email.alarm.received",
   *         "channel": "messenger",
   *         "enabled": true
   *       }
   *     ]
   *   }
   * })
   */
  readonly "notifications.choose": { readonly input: { readonly body: { readonly items: ReadonlyArray<{ readonly event_type: string; readonly channel: "app" | "email" | "messenger" | "browser" | "speech"; readonly enabled: boolean }> } }; readonly answer: NotificationPreferences }
  /** Delivery times of the caller */
  readonly "notifications.settings": { readonly input: {  }; readonly answer: NotificationSettings }
  /**
   * Replace the delivery times of the caller
   *
   * @example
   * await signalbox("notifications.changeSettings", {
   *   "body": {
   *     "zone": "Europe/Berlin",
   *     "quiet": {
   *       "from": "22:00",
   *       "to": "07:00",
   *       "days": [
   *         1,
   *         2,
   *         3,
   *         4,
   *         5
   *       ],
   *       "errors_pass": true
   *     },
   *     "digest": "off",
   *     "digest_at": "18:00"
   *   }
   * })
   */
  readonly "notifications.changeSettings": { readonly input: { readonly body: { readonly zone: string; readonly quiet: ({ readonly from: string; readonly to: string; readonly days: ReadonlyArray<number>; readonly errors_pass: boolean }) | (null); readonly digest: "off" | "hourly" | "daily"; readonly digest_at: string } }; readonly answer: NotificationSettings }
  /** Public key for push subscriptions */
  readonly "push.key": { readonly input: {  }; readonly answer: { readonly public_key: string } }
  /** Push subscriptions of the caller's browsers */
  readonly "push.subscriptions": { readonly input: {  }; readonly answer: { readonly items: ReadonlyArray<PushSubscription> } }
  /**
   * Subscribe a browser to pushes
   *
   * @example
   * await signalbox("push.subscribe", {
   *   "body": {
   *     "endpoint": "https://push.example.net/send/1",
   *     "keys": {
   *       "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
   *       "auth": "BTBZMqHH6r4Tts7J_aSIgg"
   *     }
   *   }
   * })
   */
  readonly "push.subscribe": { readonly input: { readonly body: { readonly endpoint: string; readonly keys: { readonly p256dh: string; readonly auth: string } } }; readonly answer: PushSubscription }
  /**
   * Delete a push subscription
   *
   * @example
   * await signalbox("push.unsubscribe", {
   *   "path": {
   *     "id": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "push.unsubscribe": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: undefined }
  /**
   * Request support
   *
   * @example
   * await signalbox("support.create", {
   *   "body": {
   *     "channel": "messenger",
   *     "message": "Disk full on db1"
   *   }
   * })
   */
  readonly "support.create": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: (SupportRequest) | (null) }; readonly answer: OwnSupportSession }
  /** Support sessions, newest first */
  readonly "support.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly state?: "open" | "all" } }; readonly answer: { readonly items: ReadonlyArray<SupportSession>; readonly next_before: (number) | (null) } }
  /** The caller's open session, or null */
  readonly "support.own": { readonly input: {  }; readonly answer: { readonly session: (OwnSupportSession) | (null) } }
  /** Close the caller's open session */
  readonly "support.withdraw": { readonly input: {  }; readonly answer: undefined }
  /**
   * The session with a code
   *
   * @example
   * await signalbox("support.show", {
   *   "path": {
   *     "code": "1234-5678"
   *   }
   * })
   */
  readonly "support.show": { readonly input: { readonly path: { readonly code: string | number | boolean } }; readonly answer: SupportSession }
  /**
   * Close a session
   *
   * @example
   * await signalbox("support.close", {
   *   "path": {
   *     "code": "1234-5678"
   *   }
   * })
   */
  readonly "support.close": { readonly input: { readonly path: { readonly code: string | number | boolean } }; readonly answer: SupportSession }
  /** Event log, newest first */
  readonly "events.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly pattern?: string | number | boolean; readonly since?: string | number | boolean; readonly until?: string | number | boolean } }; readonly answer: EventPage }
  /** Number of events in a period, by type */
  readonly "events.histogram": { readonly input: { readonly query?: { readonly pattern?: string | number | boolean; readonly since?: string | number | boolean; readonly until?: string | number | boolean; readonly buckets?: string | number | boolean } }; readonly answer: EventHistogram }
  /** Extensions, newest first */
  readonly "extensions.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly tenant_id?: string | number | boolean; readonly domain?: string | number | boolean; readonly user_id?: string | number | boolean; readonly number?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<SipExtension>; readonly next_before: (number) | (null) } }
  /**
   * Create an extension
   *
   * @example
   * await signalbox("extensions.create", {
   *   "body": {
   *     "extension": "1001",
   *     "name": "Example",
   *     "domain": "example.org",
   *     "user_id": 7,
   *     "password": "four-words-in-a-row",
   *     "enabled": true,
   *     "tenant_id": 1
   *   }
   * })
   */
  readonly "extensions.create": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly extension: string; readonly name: string; readonly domain: string; readonly user_id?: (number) | (null); readonly password?: string; readonly enabled?: boolean; readonly tenant_id?: number } }; readonly answer: SipExtension }
  /**
   * One extension
   *
   * @example
   * await signalbox("extensions.show", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "extensions.show": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: SipExtension }
  /**
   * Change an extension
   *
   * @example
   * await signalbox("extensions.update", {
   *   "path": {
   *     "id": "7"
   *   },
   *   "body": {
   *     "extension": "1001",
   *     "name": "Example",
   *     "domain": "example.org",
   *     "user_id": 7,
   *     "password": "four-words-in-a-row",
   *     "enabled": true
   *   }
   * })
   */
  readonly "extensions.update": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly body: { readonly extension?: string; readonly name?: string; readonly domain?: string; readonly user_id?: (number) | (null); readonly password?: string; readonly enabled?: boolean } }; readonly answer: SipExtension }
  /**
   * Delete an extension
   *
   * @example
   * await signalbox("extensions.remove", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "extensions.remove": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: undefined }
  /**
   * Give an extension a new password
   *
   * @example
   * await signalbox("extensions.rotate", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "extensions.rotate": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: SipExtension }
  /**
   * Phone settings of the extension, including the password
   *
   * @example
   * await signalbox("extensions.config", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "extensions.config": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: SipPhoneConfig }
  /** The caller's own extensions */
  readonly "ownExtensions.list": { readonly input: {  }; readonly answer: { readonly items: ReadonlyArray<OwnSipExtension> } }
  /**
   * Phone settings of the caller's own extension, including the password
   *
   * @example
   * await signalbox("ownExtensions.config", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "ownExtensions.config": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: SipPhoneConfig }
  /** Trunks, newest first */
  readonly "trunks.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly tenant_id?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<SipTrunk>; readonly next_before: (number) | (null) } }
  /**
   * Make a trunk
   *
   * @example
   * await signalbox("trunks.create", {
   *   "body": {
   *     "name": "Provider",
   *     "host": "mx.example.org",
   *     "port": 443,
   *     "transport": "udp",
   *     "username": "anna@example.org",
   *     "password": "four-words-in-a-row",
   *     "register": true,
   *     "realm": "voice.example.org",
   *     "caller_id": "+493023125001",
   *     "networks": [
   *       "203.0.113.0/24"
   *     ],
   *     "enabled": true,
   *     "tenant_id": 1
   *   }
   * })
   */
  readonly "trunks.create": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly name: string; readonly host: string; readonly port?: number; readonly transport?: "udp" | "tcp" | "tls"; readonly username?: (string) | (null); readonly password?: (string) | (null); readonly register?: boolean; readonly realm?: (string) | (null); readonly caller_id?: (string) | (null); readonly networks?: ReadonlyArray<unknown>; readonly enabled?: boolean; readonly tenant_id?: number } }; readonly answer: SipTrunk }
  /**
   * One trunk
   *
   * @example
   * await signalbox("trunks.show", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "trunks.show": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: SipTrunk }
  /**
   * Change a trunk
   *
   * @example
   * await signalbox("trunks.update", {
   *   "path": {
   *     "id": "7"
   *   },
   *   "body": {
   *     "name": "Provider",
   *     "host": "mx.example.org",
   *     "port": 443,
   *     "transport": "udp",
   *     "username": "anna@example.org",
   *     "password": "four-words-in-a-row",
   *     "register": true,
   *     "realm": "voice.example.org",
   *     "caller_id": "+493023125001",
   *     "networks": [
   *       "203.0.113.0/24"
   *     ],
   *     "enabled": true
   *   }
   * })
   */
  readonly "trunks.update": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly body: { readonly name?: string; readonly host?: string; readonly port?: number; readonly transport?: "udp" | "tcp" | "tls"; readonly username?: (string) | (null); readonly password?: (string) | (null); readonly register?: boolean; readonly realm?: (string) | (null); readonly caller_id?: (string) | (null); readonly networks?: ReadonlyArray<unknown>; readonly enabled?: boolean } }; readonly answer: SipTrunk }
  /**
   * Delete a trunk
   *
   * @example
   * await signalbox("trunks.remove", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "trunks.remove": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: undefined }
  /**
   * Confirm the networks of a trunk
   *
   * @example
   * await signalbox("trunks.confirm", {
   *   "path": {
   *     "id": "7"
   *   },
   *   "body": {
   *     "networks": [
   *       "203.0.113.0/24"
   *     ]
   *   }
   * })
   */
  readonly "trunks.confirm": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly body: { readonly networks: ReadonlyArray<unknown> } }; readonly answer: SipTrunk }
  /** DIDs, newest first */
  readonly "dids.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly tenant_id?: string | number | boolean; readonly number?: string | number | boolean; readonly trunk_id?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<SipDid>; readonly next_before: (number) | (null) } }
  /**
   * Create a DID: route a number to a destination
   *
   * @example
   * await signalbox("dids.create", {
   *   "body": {
   *     "number": "+493023125001",
   *     "name": "Example",
   *     "trunk_id": 7,
   *     "destination_type": "extension",
   *     "destination_id": 7,
   *     "tenant_id": 1
   *   }
   * })
   */
  readonly "dids.create": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly number: string; readonly name: string; readonly trunk_id?: (number) | (null); readonly destination_type: "extension" | "ring_group" | "ivr_menu" | "voicemail" | "external"; readonly destination_id: number; readonly tenant_id?: number } }; readonly answer: SipDid }
  /**
   * One DID
   *
   * @example
   * await signalbox("dids.show", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "dids.show": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: SipDid }
  /**
   * Change a DID or its destination
   *
   * @example
   * await signalbox("dids.update", {
   *   "path": {
   *     "id": "7"
   *   },
   *   "body": {
   *     "number": "+493023125001",
   *     "name": "Example",
   *     "trunk_id": 7,
   *     "destination_type": "extension",
   *     "destination_id": 7
   *   }
   * })
   */
  readonly "dids.update": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly body: { readonly number?: string; readonly name?: string; readonly trunk_id?: (number) | (null); readonly destination_type?: "extension" | "ring_group" | "ivr_menu" | "voicemail" | "external"; readonly destination_id?: number } }; readonly answer: SipDid }
  /**
   * Delete a DID
   *
   * @example
   * await signalbox("dids.remove", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "dids.remove": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: undefined }
  /**
   * Assign the number to its tenant
   *
   * @example
   * await signalbox("dids.assign", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "dids.assign": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: SipDid }
  /** Lines, newest first */
  readonly "lines.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly tenant_id?: string | number | boolean; readonly extension_id?: string | number | boolean; readonly did_id?: string | number | boolean; readonly trunk_id?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<SipLine>; readonly next_before: (number) | (null) } }
  /**
   * Make a line
   *
   * @example
   * await signalbox("lines.create", {
   *   "body": {
   *     "extension_id": 7,
   *     "trunk_id": 7,
   *     "did_id": 7,
   *     "priority": 10,
   *     "tenant_id": 1
   *   }
   * })
   */
  readonly "lines.create": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly extension_id: number; readonly trunk_id: number; readonly did_id?: (number) | (null); readonly priority?: number; readonly tenant_id?: number } }; readonly answer: SipLine }
  /**
   * One line
   *
   * @example
   * await signalbox("lines.show", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "lines.show": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: SipLine }
  /**
   * Change a line
   *
   * @example
   * await signalbox("lines.update", {
   *   "path": {
   *     "id": "7"
   *   },
   *   "body": {
   *     "extension_id": 7,
   *     "trunk_id": 7,
   *     "did_id": 7,
   *     "priority": 10
   *   }
   * })
   */
  readonly "lines.update": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly body: { readonly extension_id?: number; readonly trunk_id?: number; readonly did_id?: (number) | (null); readonly priority?: number } }; readonly answer: SipLine }
  /**
   * Delete a line
   *
   * @example
   * await signalbox("lines.remove", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "lines.remove": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: undefined }
  /** Ring groups, newest first */
  readonly "ringGroups.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly tenant_id?: string | number | boolean; readonly domain?: string | number | boolean; readonly number?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<SipRingGroup>; readonly next_before: (number) | (null) } }
  /**
   * Create a ring group
   *
   * @example
   * await signalbox("ringGroups.create", {
   *   "body": {
   *     "name": "Example",
   *     "strategy": "simultaneous",
   *     "ring_timeout": 1,
   *     "extensions": [
   *       "1001"
   *     ],
   *     "domain": "example.org",
   *     "number": "600",
   *     "tenant_id": 1
   *   }
   * })
   */
  readonly "ringGroups.create": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly name: string; readonly strategy: "simultaneous" | "sequence" | "random"; readonly ring_timeout: number; readonly extensions: ReadonlyArray<unknown>; readonly domain?: string; readonly number?: (string) | (null); readonly tenant_id?: number } }; readonly answer: SipRingGroup }
  /**
   * One ring group
   *
   * @example
   * await signalbox("ringGroups.show", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "ringGroups.show": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: SipRingGroup }
  /**
   * Change a ring group
   *
   * @example
   * await signalbox("ringGroups.update", {
   *   "path": {
   *     "id": "7"
   *   },
   *   "body": {
   *     "name": "Example",
   *     "strategy": "simultaneous",
   *     "ring_timeout": 1,
   *     "extensions": [
   *       "1001"
   *     ],
   *     "domain": "example.org",
   *     "number": "600"
   *   }
   * })
   */
  readonly "ringGroups.update": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly body: { readonly name?: string; readonly strategy?: "simultaneous" | "sequence" | "random"; readonly ring_timeout?: number; readonly extensions?: ReadonlyArray<unknown>; readonly domain?: string; readonly number?: (string) | (null) } }; readonly answer: SipRingGroup }
  /**
   * Delete a ring group
   *
   * @example
   * await signalbox("ringGroups.remove", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "ringGroups.remove": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: undefined }
  /** Call filters, newest first */
  readonly "callFilters.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly tenant_id?: string | number | boolean; readonly type?: "blacklist" | "whitelist" } }; readonly answer: { readonly items: ReadonlyArray<SipCallFilter>; readonly next_before: (number) | (null) } }
  /**
   * Create a call filter
   *
   * @example
   * await signalbox("callFilters.create", {
   *   "body": {
   *     "name": "Example",
   *     "type": "blacklist",
   *     "pattern": "+49900*",
   *     "action": "reject",
   *     "enabled": true,
   *     "tenant_id": 1
   *   }
   * })
   */
  readonly "callFilters.create": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly name: string; readonly type: "blacklist" | "whitelist"; readonly pattern: string; readonly action?: ("reject"); readonly enabled?: boolean; readonly tenant_id?: number } }; readonly answer: SipCallFilter }
  /**
   * One call filter
   *
   * @example
   * await signalbox("callFilters.show", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "callFilters.show": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: SipCallFilter }
  /**
   * Change a call filter
   *
   * @example
   * await signalbox("callFilters.update", {
   *   "path": {
   *     "id": "7"
   *   },
   *   "body": {
   *     "name": "Example",
   *     "type": "blacklist",
   *     "pattern": "+49900*",
   *     "action": "reject",
   *     "enabled": true
   *   }
   * })
   */
  readonly "callFilters.update": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly body: { readonly name?: string; readonly type?: "blacklist" | "whitelist"; readonly pattern?: string; readonly action?: ("reject"); readonly enabled?: boolean } }; readonly answer: SipCallFilter }
  /**
   * Delete a call filter
   *
   * @example
   * await signalbox("callFilters.remove", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "callFilters.remove": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: undefined }
  /** Menus, newest first */
  readonly "ivrMenus.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly tenant_id?: string | number | boolean; readonly domain?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<SipIvrMenu>; readonly next_before: (number) | (null) } }
  /**
   * Create a menu
   *
   * @example
   * await signalbox("ivrMenus.create", {
   *   "body": {
   *     "name": "Example",
   *     "greeting": "ivr/welcome.wav",
   *     "domain": "example.org",
   *     "timeout": 1,
   *     "max_failures": 1,
   *     "entries": [
   *       {
   *         "digits": "1",
   *         "destination_type": "extension",
   *         "destination_id": 7
   *       }
   *     ],
   *     "tenant_id": 1
   *   }
   * })
   */
  readonly "ivrMenus.create": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly name: string; readonly greeting: string; readonly domain?: string; readonly timeout?: number; readonly max_failures?: number; readonly entries?: ReadonlyArray<unknown>; readonly tenant_id?: number } }; readonly answer: SipIvrMenu }
  /**
   * One menu
   *
   * @example
   * await signalbox("ivrMenus.show", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "ivrMenus.show": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: SipIvrMenu }
  /**
   * Change a menu
   *
   * @example
   * await signalbox("ivrMenus.update", {
   *   "path": {
   *     "id": "7"
   *   },
   *   "body": {
   *     "name": "Example",
   *     "greeting": "ivr/welcome.wav",
   *     "domain": "example.org",
   *     "timeout": 1,
   *     "max_failures": 1,
   *     "entries": [
   *       {
   *         "digits": "1",
   *         "destination_type": "extension",
   *         "destination_id": 7
   *       }
   *     ]
   *   }
   * })
   */
  readonly "ivrMenus.update": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly body: { readonly name?: string; readonly greeting?: string; readonly domain?: string; readonly timeout?: number; readonly max_failures?: number; readonly entries?: ReadonlyArray<unknown> } }; readonly answer: SipIvrMenu }
  /**
   * Delete a menu
   *
   * @example
   * await signalbox("ivrMenus.remove", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "ivrMenus.remove": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: undefined }
  /** Voicemail boxes, newest first */
  readonly "voicemailBoxes.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly tenant_id?: string | number | boolean; readonly domain?: string | number | boolean; readonly number?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<SipVoicemailBox>; readonly next_before: (number) | (null) } }
  /**
   * Create a voicemail box
   *
   * @example
   * await signalbox("voicemailBoxes.create", {
   *   "body": {
   *     "box": "1001",
   *     "name": "Example",
   *     "domain": "example.org",
   *     "pin": "471100",
   *     "email": "anna@example.org",
   *     "enabled": true,
   *     "tenant_id": 1
   *   }
   * })
   */
  readonly "voicemailBoxes.create": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly box: string; readonly name: string; readonly domain?: string; readonly pin?: string; readonly email?: (string) | (null); readonly enabled?: boolean; readonly tenant_id?: number } }; readonly answer: SipVoicemailBox }
  /**
   * One voicemail box
   *
   * @example
   * await signalbox("voicemailBoxes.show", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "voicemailBoxes.show": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: SipVoicemailBox }
  /**
   * Change a voicemail box
   *
   * @example
   * await signalbox("voicemailBoxes.update", {
   *   "path": {
   *     "id": "7"
   *   },
   *   "body": {
   *     "box": "1001",
   *     "name": "Example",
   *     "domain": "example.org",
   *     "pin": "471100",
   *     "email": "anna@example.org",
   *     "enabled": true
   *   }
   * })
   */
  readonly "voicemailBoxes.update": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly body: { readonly box?: string; readonly name?: string; readonly domain?: string; readonly pin?: string; readonly email?: (string) | (null); readonly enabled?: boolean } }; readonly answer: SipVoicemailBox }
  /**
   * Delete a voicemail box
   *
   * @example
   * await signalbox("voicemailBoxes.remove", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "voicemailBoxes.remove": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: undefined }
  /**
   * Give a voicemail box a new PIN
   *
   * @example
   * await signalbox("voicemailBoxes.rotate", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "voicemailBoxes.rotate": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: SipVoicemailBox }
  /**
   * PIN of a voicemail box
   *
   * @example
   * await signalbox("voicemailBoxes.pin", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "voicemailBoxes.pin": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: SipVoicemailPin }
  /** List external numbers, newest first */
  readonly "externalNumbers.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly tenant_id?: string | number | boolean; readonly number?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<SipExternalNumber>; readonly next_before: (number) | (null) } }
  /**
   * Create an external number
   *
   * @example
   * await signalbox("externalNumbers.create", {
   *   "body": {
   *     "number": "+493023125001",
   *     "name": "Example",
   *     "tenant_id": 1
   *   }
   * })
   */
  readonly "externalNumbers.create": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly number: string; readonly name: string; readonly tenant_id?: number } }; readonly answer: SipExternalNumber }
  /**
   * One external number
   *
   * @example
   * await signalbox("externalNumbers.show", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "externalNumbers.show": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: SipExternalNumber }
  /**
   * Change an external number
   *
   * @example
   * await signalbox("externalNumbers.update", {
   *   "path": {
   *     "id": "7"
   *   },
   *   "body": {
   *     "number": "+493023125001",
   *     "name": "Example"
   *   }
   * })
   */
  readonly "externalNumbers.update": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly body: { readonly number?: string; readonly name?: string } }; readonly answer: SipExternalNumber }
  /**
   * Delete an external number
   *
   * @example
   * await signalbox("externalNumbers.remove", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "externalNumbers.remove": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: undefined }
  /** SIP domains, newest first */
  readonly "sipDomains.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly tenant_id?: string | number | boolean; readonly domain?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<SipDomain>; readonly next_before: (number) | (null) } }
  /**
   * One SIP domain
   *
   * @example
   * await signalbox("sipDomains.show", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "sipDomains.show": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: SipDomain }
  /**
   * Look for the TXT record of the challenge soon
   *
   * @example
   * await signalbox("sipDomains.checkOwnership", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "sipDomains.checkOwnership": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: SipDomain }
  /**
   * Assert the ownership of a SIP domain
   *
   * @example
   * await signalbox("sipDomains.assert", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "sipDomains.assert": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: SipDomain }
  /** Customers, newest first */
  readonly "customers.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly tenant_id?: string | number | boolean; readonly q?: string | number | boolean; readonly number?: string | number | boolean; readonly phone?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<Customer>; readonly next_before: (number) | (null) } }
  /**
   * Create a customer
   *
   * @example
   * await signalbox("customers.create", {
   *   "body": {
   *     "number": "K-1001",
   *     "name": "Example Ltd",
   *     "locale": "en",
   *     "email": "anna@example.org",
   *     "phones": [
   *       "+493023125001"
   *     ],
   *     "tenant_id": 1
   *   }
   * })
   */
  readonly "customers.create": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly number: string; readonly name: string; readonly locale?: string; readonly email?: (string) | (null); readonly phones?: ReadonlyArray<string>; readonly tenant_id?: number } }; readonly answer: Customer }
  /**
   * Import customers from a CSV file
   *
   * @example
   * await signalbox("customers.imported", {
   *   "body": "name,email\nAnna Example,anna@example.org\n"
   * })
   */
  readonly "customers.imported": { readonly input: { readonly query?: { readonly tenant_id?: string | number | boolean }; readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: string | Uint8Array<ArrayBuffer> }; readonly answer: CustomerImport }
  /**
   * Progress of an import
   *
   * @example
   * await signalbox("customers.progress", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "customers.progress": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: CustomerImport }
  /**
   * One customer
   *
   * @example
   * await signalbox("customers.show", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "customers.show": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: Customer }
  /**
   * Change a customer
   *
   * @example
   * await signalbox("customers.update", {
   *   "path": {
   *     "id": "7"
   *   },
   *   "body": {
   *     "number": "K-1001",
   *     "name": "Example Ltd",
   *     "locale": "en",
   *     "email": "anna@example.org",
   *     "phones": [
   *       "+493023125001"
   *     ]
   *   }
   * })
   */
  readonly "customers.update": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly body: { readonly number?: string; readonly name?: string; readonly locale?: string; readonly email?: (string) | (null); readonly phones?: ReadonlyArray<string> } }; readonly answer: Customer }
  /**
   * Delete a customer
   *
   * @example
   * await signalbox("customers.remove", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "customers.remove": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: undefined }
  /**
   * Routing decision for a call from X to Y
   *
   * @example
   * await signalbox("routeTest.test", {
   *   "body": {
   *     "from": "anna@example.org",
   *     "to": "ben@example.net",
   *     "tenant_id": 1
   *   }
   * })
   */
  readonly "routeTest.test": { readonly input: { readonly query?: { readonly lang?: string | number | boolean }; readonly body: { readonly from: string; readonly to: string; readonly tenant_id?: number } }; readonly answer: SipRouteTest }
  /** Calls, newest first */
  readonly "calls.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly tenant_id?: string | number | boolean; readonly direction?: "inbound" | "outbound" | "internal"; readonly since?: string | number | boolean; readonly until?: string | number | boolean; readonly number?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<Call>; readonly next_before: (number) | (null) } }
  /**
   * One call, by its call_id
   *
   * @example
   * await signalbox("calls.show", {
   *   "path": {
   *     "id": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "calls.show": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: Call }
  /** Domains, newest first */
  readonly "dnsDomains.list": { readonly input: { readonly query?: { readonly skip?: string | number | boolean; readonly limit?: string | number | boolean; readonly customer_id?: string | number | boolean; readonly tenant_id?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<Domain>; readonly next_skip: (number) | (null) } }
  /**
   * Add a domain
   *
   * @example
   * await signalbox("dnsDomains.create", {
   *   "body": {
   *     "name": "example.org",
   *     "customer_id": 1,
   *     "dns_provider_id": 7,
   *     "tenant_id": 1
   *   }
   * })
   */
  readonly "dnsDomains.create": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly name: string; readonly customer_id: number; readonly dns_provider_id?: (number) | (null); readonly tenant_id?: number } }; readonly answer: Domain }
  /**
   * One domain
   *
   * @example
   * await signalbox("dnsDomains.show", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "dnsDomains.show": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: Domain }
  /**
   * Change the customer or the DNS account of a domain
   *
   * @example
   * await signalbox("dnsDomains.update", {
   *   "path": {
   *     "id": "7"
   *   },
   *   "body": {
   *     "customer_id": 1,
   *     "dns_provider_id": 7
   *   }
   * })
   */
  readonly "dnsDomains.update": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly body: { readonly customer_id?: number; readonly dns_provider_id?: (number) | (null) } }; readonly answer: Domain }
  /**
   * Delete a domain
   *
   * @example
   * await signalbox("dnsDomains.remove", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "dnsDomains.remove": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: RemovedDomain }
  /**
   * Look for the TXT record of the challenge soon
   *
   * @example
   * await signalbox("dnsDomains.checkOwnership", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "dnsDomains.checkOwnership": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: Domain }
  /**
   * Assert the ownership of a domain
   *
   * @example
   * await signalbox("dnsDomains.assert", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "dnsDomains.assert": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: Domain }
  /**
   * DNS records of a domain
   *
   * @example
   * await signalbox("records.list", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "records.list": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<DnsRecord>; readonly provider: DnsChangeOutcome } }
  /**
   * Add a DNS record
   *
   * @example
   * await signalbox("records.create", {
   *   "path": {
   *     "id": "7"
   *   },
   *   "body": {
   *     "type": "A",
   *     "name": "Example",
   *     "content": "192.0.2.7",
   *     "ttl": 3600
   *   }
   * })
   */
  readonly "records.create": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly query?: { readonly wait?: string | number | boolean }; readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly type: string; readonly name: string; readonly content: string; readonly ttl?: number } }; readonly answer: ChangedDnsRecord }
  /**
   * One DNS record
   *
   * @example
   * await signalbox("records.show", {
   *   "path": {
   *     "id": "7",
   *     "record_id": "r7"
   *   }
   * })
   */
  readonly "records.show": { readonly input: { readonly path: { readonly id: string | number | boolean; readonly record_id: string | number | boolean } }; readonly answer: DnsRecord }
  /**
   * Change a DNS record
   *
   * @example
   * await signalbox("records.update", {
   *   "path": {
   *     "id": "7",
   *     "record_id": "r7"
   *   },
   *   "body": {
   *     "type": "A",
   *     "name": "Example",
   *     "content": "192.0.2.7",
   *     "ttl": 3600
   *   }
   * })
   */
  readonly "records.update": { readonly input: { readonly path: { readonly id: string | number | boolean; readonly record_id: string | number | boolean }; readonly query?: { readonly wait?: string | number | boolean }; readonly body: { readonly type?: string; readonly name?: string; readonly content?: string; readonly ttl?: number } }; readonly answer: ChangedDnsRecord }
  /**
   * Delete a DNS record
   *
   * @example
   * await signalbox("records.remove", {
   *   "path": {
   *     "id": "7",
   *     "record_id": "r7"
   *   }
   * })
   */
  readonly "records.remove": { readonly input: { readonly path: { readonly id: string | number | boolean; readonly record_id: string | number | boolean } }; readonly answer: undefined }
  /**
   * Required DNS records and their current contents
   *
   * @example
   * await signalbox("checks.instructions", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "checks.instructions": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly query?: { readonly lang?: "en" | "de" } }; readonly answer: DnsInstructions }
  /**
   * Last check of a domain and its findings
   *
   * @example
   * await signalbox("checks.check", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "checks.check": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly query?: { readonly lang?: "en" | "de" } }; readonly answer: DnsCheck }
  /**
   * Check a domain now
   *
   * @example
   * await signalbox("checks.verify", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "checks.verify": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly query?: { readonly lang?: "en" | "de" } }; readonly answer: DnsVerifyResult }
  /** Accounts at DNS providers, newest first */
  readonly "providers.list": { readonly input: { readonly query?: { readonly skip?: string | number | boolean; readonly limit?: string | number | boolean; readonly customer_id?: string | number | boolean; readonly tenant_id?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<DnsProvider>; readonly next_skip: (number) | (null) } }
  /**
   * Add an account at a DNS provider
   *
   * @example
   * await signalbox("providers.create", {
   *   "body": {
   *     "customer_id": 1,
   *     "name": "Example",
   *     "type": "provider_a",
   *     "credentials": {
   *       "api_token": "c2VjcmV0LXNlY3JldC1zZWNyZXQ",
   *       "prefix": "030",
   *       "secret": "c2VjcmV0LXNlY3JldC1zZWNyZXQ",
   *       "url": "https://www.example.org/",
   *       "api_key": "c2VjcmV0LXNlY3JldC1zZWNyZXQ",
   *       "server_id": "7"
   *     },
   *     "is_default": true,
   *     "tenant_id": 1
   *   }
   * })
   */
  readonly "providers.create": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly customer_id: number; readonly name: string; readonly type: "provider_a" | "provider_b" | "provider_c" | "provider_d" | "provider_e" | "manual"; readonly credentials?: (DnsProviderCredentials) | (null); readonly is_default?: boolean; readonly tenant_id?: number } }; readonly answer: DnsProvider }
  /** Provider types and their credentials */
  readonly "providers.types": { readonly input: {  }; readonly answer: { readonly items: ReadonlyArray<DnsProviderType> } }
  /**
   * One account
   *
   * @example
   * await signalbox("providers.show", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "providers.show": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: DnsProvider }
  /**
   * Change an account
   *
   * @example
   * await signalbox("providers.update", {
   *   "path": {
   *     "id": "7"
   *   },
   *   "body": {
   *     "name": "Example",
   *     "credentials": {
   *       "api_token": "c2VjcmV0LXNlY3JldC1zZWNyZXQ",
   *       "prefix": "030",
   *       "secret": "c2VjcmV0LXNlY3JldC1zZWNyZXQ",
   *       "url": "https://www.example.org/",
   *       "api_key": "c2VjcmV0LXNlY3JldC1zZWNyZXQ",
   *       "server_id": "7"
   *     },
   *     "is_default": true
   *   }
   * })
   */
  readonly "providers.update": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly body: { readonly name?: string; readonly credentials?: (DnsProviderCredentials) | (null); readonly is_default?: boolean } }; readonly answer: DnsProvider }
  /**
   * Delete an account
   *
   * @example
   * await signalbox("providers.remove", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "providers.remove": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly query?: { readonly force?: "true" | "false" } }; readonly answer: undefined }
  /**
   * Test an account
   *
   * @example
   * await signalbox("providers.test", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "providers.test": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: DnsProviderTest }
  /**
   * Zones that the provider lists for an account
   *
   * @example
   * await signalbox("providers.zones", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "providers.zones": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<DnsZone> } }
  /**
   * Plan the changes of a zone
   *
   * @example
   * await signalbox("plans.create", {
   *   "path": {
   *     "id": "7"
   *   },
   *   "body": {
   *     "remove": [
   *       "text"
   *     ]
   *   }
   * })
   */
  readonly "plans.create": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly remove?: ReadonlyArray<unknown> } }; readonly answer: DnsPlan }
  /**
   * Plans of a domain, newest first
   *
   * @example
   * await signalbox("plans.list", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "plans.list": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly query?: { readonly skip?: string | number | boolean; readonly limit?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<DnsPlanSummary>; readonly next_skip: (number) | (null) } }
  /**
   * One plan with its steps
   *
   * @example
   * await signalbox("plans.show", {
   *   "path": {
   *     "id": "7",
   *     "plan_id": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "plans.show": { readonly input: { readonly path: { readonly id: string | number | boolean; readonly plan_id: string | number | boolean } }; readonly answer: DnsPlan }
  /**
   * Apply a plan
   *
   * @example
   * await signalbox("plans.apply", {
   *   "path": {
   *     "id": "7",
   *     "plan_id": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   },
   *   "body": {
   *     "force": true
   *   }
   * })
   */
  readonly "plans.apply": { readonly input: { readonly path: { readonly id: string | number | boolean; readonly plan_id: string | number | boolean }; readonly body: { readonly force?: boolean } }; readonly answer: DnsPlan }
  /**
   * Discard a plan
   *
   * @example
   * await signalbox("plans.discard", {
   *   "path": {
   *     "id": "7",
   *     "plan_id": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "plans.discard": { readonly input: { readonly path: { readonly id: string | number | boolean; readonly plan_id: string | number | boolean } }; readonly answer: DnsPlan }
  /** Numbers of translated and stale texts by language */
  readonly "i18nAdmin.statistics": { readonly input: {  }; readonly answer: TranslationStatistics }
  /**
   * Add a language
   *
   * @example
   * await signalbox("i18nAdmin.addLanguage", {
   *   "body": {
   *     "code": "pt-BR",
   *     "label": "Office"
   *   }
   * })
   */
  readonly "i18nAdmin.addLanguage": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly code: string; readonly label: string } }; readonly answer: Language }
  /**
   * Change the name of a language
   *
   * @example
   * await signalbox("i18nAdmin.renameLanguage", {
   *   "path": {
   *     "locale": "en"
   *   },
   *   "body": {
   *     "label": "Office"
   *   }
   * })
   */
  readonly "i18nAdmin.renameLanguage": { readonly input: { readonly path: { readonly locale: string | number | boolean }; readonly body: { readonly label: string } }; readonly answer: Language }
  /**
   * Remove a language
   *
   * @example
   * await signalbox("i18nAdmin.removeLanguage", {
   *   "path": {
   *     "locale": "en"
   *   }
   * })
   */
  readonly "i18nAdmin.removeLanguage": { readonly input: { readonly path: { readonly locale: string | number | boolean } }; readonly answer: undefined }
  /**
   * Forget the automatic translations of a language
   *
   * @example
   * await signalbox("i18nAdmin.forget", {
   *   "path": {
   *     "locale": "en"
   *   }
   * })
   */
  readonly "i18nAdmin.forget": { readonly input: { readonly path: { readonly locale: string | number | boolean } }; readonly answer: { readonly forgotten: number } }
  /**
   * Texts of a language beside the English ones
   *
   * @example
   * await signalbox("i18nAdmin.texts", {
   *   "path": {
   *     "locale": "en"
   *   }
   * })
   */
  readonly "i18nAdmin.texts": { readonly input: { readonly path: { readonly locale: string | number | boolean }; readonly query?: { readonly limit?: string | number | boolean; readonly after?: string | number | boolean; readonly q?: string | number | boolean; readonly state?: "stale" | "missing" | "automatic" | "manual" } }; readonly answer: { readonly items: ReadonlyArray<TranslatedText>; readonly next_after: (string) | (null) } }
  /**
   * Override a text
   *
   * @example
   * await signalbox("i18nAdmin.put", {
   *   "path": {
   *     "locale": "en",
   *     "key": "mail.greeting"
   *   },
   *   "body": {
   *     "value": "Hello {name}"
   *   }
   * })
   */
  readonly "i18nAdmin.put": { readonly input: { readonly path: { readonly locale: string | number | boolean; readonly key: string | number | boolean }; readonly body: { readonly value: string } }; readonly answer: Translation }
  /**
   * Remove an override
   *
   * @example
   * await signalbox("i18nAdmin.revert", {
   *   "path": {
   *     "locale": "en",
   *     "key": "mail.greeting"
   *   }
   * })
   */
  readonly "i18nAdmin.revert": { readonly input: { readonly path: { readonly locale: string | number | boolean; readonly key: string | number | boolean } }; readonly answer: undefined }
  /**
   * Changes of a text, newest first
   *
   * @example
   * await signalbox("i18nAdmin.history", {
   *   "path": {
   *     "locale": "en",
   *     "key": "mail.greeting"
   *   }
   * })
   */
  readonly "i18nAdmin.history": { readonly input: { readonly path: { readonly locale: string | number | boolean; readonly key: string | number | boolean }; readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<TextChange>; readonly next_before: (number) | (null) } }
  /** All languages */
  readonly "i18n.languages": { readonly input: {  }; readonly answer: ReadonlyArray<LanguageEntry> }
  /**
   * All texts of a language by their keys
   *
   * @example
   * await signalbox("i18n.bundle", {
   *   "path": {
   *     "locale": "en"
   *   }
   * })
   */
  readonly "i18n.bundle": { readonly input: { readonly path: { readonly locale: string | number | boolean } }; readonly answer: Readonly<Record<string, string>> }
  /**
   * One text
   *
   * @example
   * await signalbox("i18n.text", {
   *   "path": {
   *     "locale": "en",
   *     "key": "mail.greeting"
   *   }
   * })
   */
  readonly "i18n.text": { readonly input: { readonly path: { readonly locale: string | number | boolean; readonly key: string | number | boolean } }; readonly answer: { readonly locale: string; readonly key: string; readonly value: string } }
  /**
   * Translate stale texts
   *
   * @example
   * await signalbox("i18nRebuilds.start", {
   *   "body": {
   *     "locale": "en"
   *   }
   * })
   */
  readonly "i18nRebuilds.start": { readonly input: { readonly body: { readonly locale?: string } }; readonly answer: TranslationRebuild }
  /** Rebuilds, newest first */
  readonly "i18nRebuilds.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<TranslationRebuild>; readonly next_before: (number) | (null) } }
  /**
   * Progress of a rebuild
   *
   * @example
   * await signalbox("i18nRebuilds.show", {
   *   "path": {
   *     "id": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "i18nRebuilds.show": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: TranslationRebuild }
  /**
   * Cancel a rebuild
   *
   * @example
   * await signalbox("i18nRebuilds.cancel", {
   *   "path": {
   *     "id": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "i18nRebuilds.cancel": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: TranslationRebuild }
  /**
   * Texts of a language as a file
   *
   * @example
   * await signalbox("i18nFiles.exported", {
   *   "path": {
   *     "locale": "en"
   *   },
   *   "query": {
   *     "format": "csv"
   *   }
   * })
   */
  readonly "i18nFiles.exported": { readonly input: { readonly path: { readonly locale: string | number | boolean }; readonly query: { readonly format: "csv" | "xliff"; readonly state?: "stale" | "missing" | "automatic" | "manual" } }; readonly answer: string | Uint8Array<ArrayBuffer> }
  /**
   * Import translations from a CSV file
   *
   * @example
   * await signalbox("i18nFiles.importCsv", {
   *   "path": {
   *     "locale": "en"
   *   },
   *   "body": "name,email\nAnna Example,anna@example.org\n"
   * })
   */
  readonly "i18nFiles.importCsv": { readonly input: { readonly path: { readonly locale: string | number | boolean }; readonly body: string | Uint8Array<ArrayBuffer> }; readonly answer: TranslationImport }
  /**
   * Import translations from an XLIFF file
   *
   * @example
   * await signalbox("i18nFiles.importXliff", {
   *   "path": {
   *     "locale": "en"
   *   },
   *   "body": "<xliff xmlns=\"urn:oasis:names:tc:xliff:document:2.0\" version=\"2.0\" srcLang=\"en\"/>"
   * })
   */
  readonly "i18nFiles.importXliff": { readonly input: { readonly path: { readonly locale: string | number | boolean }; readonly body: string | Uint8Array<ArrayBuffer> }; readonly answer: TranslationImport }
  /** Bank accounts, newest first */
  readonly "bankAccounts.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly tenant_id?: string | number | boolean; readonly q?: string | number | boolean; readonly key_status?: "pending" | "keys_generated" | "ini_sent" | "hia_sent" | "active" | "suspended"; readonly active?: "true" | "false" } }; readonly answer: { readonly items: ReadonlyArray<BankAccount>; readonly next_before: (number) | (null) } }
  /**
   * Add a bank account
   *
   * @example
   * await signalbox("bankAccounts.create", {
   *   "body": {
   *     "name": "Example",
   *     "iban": "DE89370400440532013000",
   *     "currency": "EUR",
   *     "bic": "COBADEFFXXX",
   *     "holder": "Example Ltd",
   *     "host_id": "EBIXHOST",
   *     "partner_id": "PARTNER1",
   *     "user_id": "7",
   *     "server_url": "https://ebics.example.org/ebics",
   *     "ebics_version": "H004",
   *     "signature_version": "A005",
   *     "key_bits": 2048,
   *     "digest_kind": "key",
   *     "order_types": [
   *       {
   *         "order": "C53",
   *         "kind": "daily",
   *         "service": {
   *           "name": "EOP",
   *           "scope": "DE",
   *           "option": "B2B",
   *           "container": "SVC",
   *           "message": "camt.053",
   *           "message_version": "08",
   *           "message_variant": "001",
   *           "message_format": "XML"
   *         }
   *       }
   *     ],
   *     "daily_schedule": "30 6 * * *",
   *     "intraday_schedule": "0 8-18 * * 1-5",
   *     "fetch_enabled": true,
   *     "tenant_id": 1
   *   }
   * })
   */
  readonly "bankAccounts.create": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: BankAccountCreate }; readonly answer: BankAccount }
  /**
   * One bank account
   *
   * @example
   * await signalbox("bankAccounts.show", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "bankAccounts.show": { readonly input: { readonly path: { readonly uuid: string | number | boolean } }; readonly answer: BankAccount }
  /**
   * Change a bank account
   *
   * @example
   * await signalbox("bankAccounts.update", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   },
   *   "body": {
   *     "name": "Example",
   *     "bic": "COBADEFFXXX",
   *     "holder": "Example Ltd",
   *     "host_id": "EBIXHOST",
   *     "partner_id": "PARTNER1",
   *     "user_id": "7",
   *     "server_url": "https://ebics.example.org/ebics",
   *     "ebics_version": "H004",
   *     "signature_version": "A005",
   *     "key_bits": 2048,
   *     "digest_kind": "key",
   *     "order_types": [
   *       {
   *         "order": "C53",
   *         "kind": "daily",
   *         "service": {
   *           "name": "EOP",
   *           "scope": "DE",
   *           "option": "B2B",
   *           "container": "SVC",
   *           "message": "camt.053",
   *           "message_version": "08",
   *           "message_variant": "001",
   *           "message_format": "XML"
   *         }
   *       }
   *     ],
   *     "daily_schedule": "30 6 * * *",
   *     "intraday_schedule": "0 8-18 * * 1-5",
   *     "fetch_enabled": true
   *   }
   * })
   */
  readonly "bankAccounts.update": { readonly input: { readonly path: { readonly uuid: string | number | boolean }; readonly body: BankAccountUpdate }; readonly answer: BankAccount }
  /**
   * Deactivate a bank account
   *
   * @example
   * await signalbox("bankAccounts.deactivate", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "bankAccounts.deactivate": { readonly input: { readonly path: { readonly uuid: string | number | boolean } }; readonly answer: undefined }
  /**
   * Reactivate a bank account
   *
   * @example
   * await signalbox("bankAccounts.reactivate", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "bankAccounts.reactivate": { readonly input: { readonly path: { readonly uuid: string | number | boolean } }; readonly answer: BankAccount }
  /**
   * Ask the bank what the account may fetch (HTD and HAA)
   *
   * @example
   * await signalbox("bankAccounts.permissions", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "bankAccounts.permissions": { readonly input: { readonly path: { readonly uuid: string | number | boolean } }; readonly answer: BankAccount }
  /**
   * Key status, hashes of all keys, and the next step
   *
   * @example
   * await signalbox("bankKeys.status", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "bankKeys.status": { readonly input: { readonly path: { readonly uuid: string | number | boolean } }; readonly answer: BankKeyStatus }
  /**
   * Generate the keys
   *
   * @example
   * await signalbox("bankKeys.init", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   },
   *   "body": {
   *     "passphrase": "2030-01-31T12:00:00Z"
   *   }
   * })
   */
  readonly "bankKeys.init": { readonly input: { readonly path: { readonly uuid: string | number | boolean }; readonly body: ({ readonly passphrase?: string }) | (null) }; readonly answer: BankKeyStatus }
  /**
   * Send the signature key to the bank (INI)
   *
   * @example
   * await signalbox("bankKeys.ini", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "bankKeys.ini": { readonly input: { readonly path: { readonly uuid: string | number | boolean } }; readonly answer: BankKeyStatus }
  /**
   * Send the authentication and encryption keys to the bank (HIA)
   *
   * @example
   * await signalbox("bankKeys.hia", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "bankKeys.hia": { readonly input: { readonly path: { readonly uuid: string | number | boolean } }; readonly answer: BankKeyStatus }
  /**
   * Check whether the bank has released the keys (HPB)
   *
   * @example
   * await signalbox("bankKeys.activate", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "bankKeys.activate": { readonly input: { readonly path: { readonly uuid: string | number | boolean } }; readonly answer: BankKeyStatus }
  /**
   * INI and HIA letters as one PDF, to sign and mail to the bank
   *
   * @example
   * await signalbox("bankKeys.letter", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "bankKeys.letter": { readonly input: { readonly path: { readonly uuid: string | number | boolean }; readonly query?: { readonly lang?: "en" | "de" } }; readonly answer: string | Uint8Array<ArrayBuffer> }
  /**
   * Accept the bank's keys
   *
   * @example
   * await signalbox("bankKeys.acceptBank", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   },
   *   "body": {
   *     "authentication": "text",
   *     "encryption": "text"
   *   }
   * })
   */
  readonly "bankKeys.acceptBank": { readonly input: { readonly path: { readonly uuid: string | number | boolean }; readonly body: { readonly authentication: string; readonly encryption: string } }; readonly answer: BankKeyStatus }
  /**
   * Fetch the bank's keys again (HPB)
   *
   * @example
   * await signalbox("bankKeys.refreshBank", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "bankKeys.refreshBank": { readonly input: { readonly path: { readonly uuid: string | number | boolean } }; readonly answer: BankKeyStatus }
  /**
   * Suspend fetching
   *
   * @example
   * await signalbox("bankKeys.suspend", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "bankKeys.suspend": { readonly input: { readonly path: { readonly uuid: string | number | boolean } }; readonly answer: BankKeyStatus }
  /**
   * Resume fetching
   *
   * @example
   * await signalbox("bankKeys.resume", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "bankKeys.resume": { readonly input: { readonly path: { readonly uuid: string | number | boolean } }; readonly answer: BankKeyStatus }
  /**
   * Destroy the keys and begin again
   *
   * @example
   * await signalbox("bankKeys.reset", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   },
   *   "body": {
   *     "confirm": "text"
   *   }
   * })
   */
  readonly "bankKeys.reset": { readonly input: { readonly path: { readonly uuid: string | number | boolean }; readonly body: { readonly confirm: string } }; readonly answer: BankKeyStatus }
  /**
   * Give the passphrase of the keys
   *
   * @example
   * await signalbox("bankKeys.unlock", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   },
   *   "body": {
   *     "passphrase": "text"
   *   }
   * })
   */
  readonly "bankKeys.unlock": { readonly input: { readonly path: { readonly uuid: string | number | boolean }; readonly body: { readonly passphrase: string } }; readonly answer: BankKeyStatus }
  /**
   * Fetch statements of an account now
   *
   * @example
   * await signalbox("fetches.request", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   },
   *   "body": {
   *     "from_date": "2030-01-31",
   *     "to_date": "2030-01-31",
   *     "order_types": [
   *       "C53"
   *     ]
   *   }
   * })
   */
  readonly "fetches.request": { readonly input: { readonly path: { readonly uuid: string | number | boolean }; readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: ({ readonly from_date?: string; readonly to_date?: string; readonly order_types?: ReadonlyArray<unknown> }) | (null) }; readonly answer: BankFetch }
  /** Fetches, newest first */
  readonly "fetches.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly tenant_id?: string | number | boolean; readonly account_id?: string | number | boolean; readonly state?: "waiting" | "running" | "done" | "empty" | "failed" } }; readonly answer: { readonly items: ReadonlyArray<BankFetch>; readonly next_before: (number) | (null) } }
  /**
   * One fetch with its progress
   *
   * @example
   * await signalbox("fetches.show", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "fetches.show": { readonly input: { readonly path: { readonly uuid: string | number | boolean } }; readonly answer: BankFetch }
  /** Bank statements, newest first */
  readonly "bankStatements.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly tenant_id?: string | number | boolean; readonly account?: string | number | boolean; readonly file?: string | number | boolean; readonly kind?: "end_of_day" | "intraday"; readonly state?: "current" | "replaced"; readonly from?: string | number | boolean; readonly to?: string | number | boolean; readonly findings?: "true" | "false" } }; readonly answer: { readonly items: ReadonlyArray<BankStatement>; readonly next_before: (number) | (null) } }
  /** Import a file with statements */
  readonly "bankStatements.imported": { readonly input: { readonly query?: { readonly tenant_id?: string | number | boolean; readonly account?: string | number | boolean; readonly name?: string | number | boolean } }; readonly answer: BankImport }
  /**
   * One bank statement
   *
   * @example
   * await signalbox("bankStatements.show", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "bankStatements.show": { readonly input: { readonly path: { readonly uuid: string | number | boolean } }; readonly answer: BankStatement }
  /**
   * Original file of a statement
   *
   * @example
   * await signalbox("bankStatements.raw", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "bankStatements.raw": { readonly input: { readonly path: { readonly uuid: string | number | boolean } }; readonly answer: string | Uint8Array<ArrayBuffer> }
  /** Files from banks, newest first */
  readonly "bankStatements.files": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly tenant_id?: string | number | boolean; readonly account?: string | number | boolean; readonly source?: "ebics" | "import"; readonly state?: "waiting" | "parsed" | "failed" | "removed" } }; readonly answer: { readonly items: ReadonlyArray<BankFile>; readonly next_before: (number) | (null) } }
  /**
   * One file from a bank
   *
   * @example
   * await signalbox("bankStatements.file", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "bankStatements.file": { readonly input: { readonly path: { readonly uuid: string | number | boolean } }; readonly answer: BankFile }
  /**
   * Content of a file from a bank
   *
   * @example
   * await signalbox("bankStatements.fileRaw", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "bankStatements.fileRaw": { readonly input: { readonly path: { readonly uuid: string | number | boolean } }; readonly answer: string | Uint8Array<ArrayBuffer> }
  /**
   * Read a failed file again
   *
   * @example
   * await signalbox("bankStatements.parse", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "bankStatements.parse": { readonly input: { readonly path: { readonly uuid: string | number | boolean } }; readonly answer: BankFile }
  /** List bank transactions, newest first */
  readonly "bankTransactions.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly tenant_id?: string | number | boolean; readonly account?: string | number | boolean; readonly statement?: string | number | boolean; readonly status?: "unmatched" | "suggested" | "auto_matched" | "manual_matched" | "ignored" | "partial"; readonly booking_status?: "booked" | "pending" | "information"; readonly direction?: "in" | "out"; readonly from?: string | number | boolean; readonly to?: string | number | boolean; readonly min_amount?: string | number | boolean; readonly max_amount?: string | number | boolean; readonly currency?: string | number | boolean; readonly q?: string | number | boolean; readonly current?: "true" | "false" | "all" } }; readonly answer: { readonly items: ReadonlyArray<BankTransaction>; readonly next_before: (number) | (null) } }
  /** Bank transactions as CSV */
  readonly "bankTransactions.exported": { readonly input: { readonly query?: { readonly tenant_id?: string | number | boolean; readonly account?: string | number | boolean; readonly statement?: string | number | boolean; readonly status?: "unmatched" | "suggested" | "auto_matched" | "manual_matched" | "ignored" | "partial"; readonly booking_status?: "booked" | "pending" | "information"; readonly direction?: "in" | "out"; readonly from?: string | number | boolean; readonly to?: string | number | boolean; readonly min_amount?: string | number | boolean; readonly max_amount?: string | number | boolean; readonly currency?: string | number | boolean; readonly q?: string | number | boolean; readonly current?: "true" | "false" | "all" } }; readonly answer: string | Uint8Array<ArrayBuffer> }
  /**
   * One bank transaction
   *
   * @example
   * await signalbox("bankTransactions.show", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "bankTransactions.show": { readonly input: { readonly path: { readonly uuid: string | number | boolean } }; readonly answer: BankTransaction }
  /** Customers with their IBANs, newest first */
  readonly "bankCustomers.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly tenant_id?: string | number | boolean; readonly q?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<BankCustomer>; readonly next_before: (number) | (null) } }
  /**
   * IBANs of a customer
   *
   * @example
   * await signalbox("bankCustomers.show", {
   *   "path": {
   *     "customer_id": "1"
   *   }
   * })
   */
  readonly "bankCustomers.show": { readonly input: { readonly path: { readonly customer_id: string | number | boolean } }; readonly answer: BankCustomer }
  /**
   * Replace the IBANs of a customer
   *
   * @example
   * await signalbox("bankCustomers.replace", {
   *   "path": {
   *     "customer_id": "1"
   *   },
   *   "body": {
   *     "ibans": [
   *       "DE89370400440532013000"
   *     ]
   *   }
   * })
   */
  readonly "bankCustomers.replace": { readonly input: { readonly path: { readonly customer_id: string | number | boolean }; readonly body: { readonly ibans: ReadonlyArray<unknown> } }; readonly answer: BankCustomer }
  /**
   * Add an IBAN to a customer
   *
   * @example
   * await signalbox("bankCustomers.add", {
   *   "path": {
   *     "customer_id": "1"
   *   },
   *   "body": {
   *     "iban": "DE89370400440532013000"
   *   }
   * })
   */
  readonly "bankCustomers.add": { readonly input: { readonly path: { readonly customer_id: string | number | boolean }; readonly body: { readonly iban: string } }; readonly answer: BankCustomer }
  /**
   * Remove all IBANs of a customer
   *
   * @example
   * await signalbox("bankCustomers.clear", {
   *   "path": {
   *     "customer_id": "1"
   *   }
   * })
   */
  readonly "bankCustomers.clear": { readonly input: { readonly path: { readonly customer_id: string | number | boolean } }; readonly answer: undefined }
  /** Invoices, newest first */
  readonly "invoices.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly tenant_id?: string | number | boolean; readonly status?: "open" | "partial" | "paid" | "cancelled"; readonly kind?: "invoice" | "credit_note"; readonly customer_id?: string | number | boolean; readonly q?: string | number | boolean; readonly number?: string | number | boolean; readonly due_from?: string | number | boolean; readonly due_to?: string | number | boolean; readonly overdue?: "true" | "false"; readonly currency?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<BankInvoiceSummary>; readonly next_before: (number) | (null) } }
  /**
   * Create an invoice or a credit note
   *
   * @example
   * await signalbox("invoices.create", {
   *   "body": {
   *     "number": "RE-2030-0001",
   *     "amount": "119.00",
   *     "issued_on": "2030-01-31",
   *     "customer_id": 1,
   *     "currency": "EUR",
   *     "due_on": "2030-01-31",
   *     "discount": {
   *       "until": "2030-01-31",
   *       "amount": "119.00"
   *     },
   *     "note": "Agreed by telephone",
   *     "external_id": "shop-4711",
   *     "tenant_id": 1
   *   }
   * })
   */
  readonly "invoices.create": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly number: string; readonly amount: string; readonly issued_on: string; readonly customer_id?: (number) | (null); readonly currency?: string; readonly due_on?: string; readonly discount?: ({ readonly until: string; readonly amount: string }) | (null); readonly note?: (string) | (null); readonly external_id?: (string) | (null); readonly tenant_id?: number } }; readonly answer: BankInvoice }
  /**
   * Import invoices from a CSV file
   *
   * @example
   * await signalbox("invoices.imported", {
   *   "body": "name,email\nAnna Example,anna@example.org\n"
   * })
   */
  readonly "invoices.imported": { readonly input: { readonly query?: { readonly tenant_id?: string | number | boolean }; readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: string | Uint8Array<ArrayBuffer> }; readonly answer: BankImport_1 }
  /**
   * Progress of an import
   *
   * @example
   * await signalbox("invoices.progress", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "invoices.progress": { readonly input: { readonly path: { readonly uuid: string | number | boolean } }; readonly answer: BankImport_1 }
  /**
   * Create or change the invoice with this id of an outside CRM
   *
   * @example
   * await signalbox("invoices.put", {
   *   "path": {
   *     "external_id": "shop-4711"
   *   },
   *   "body": {
   *     "number": "RE-2030-0001",
   *     "amount": "119.00",
   *     "issued_on": "2030-01-31",
   *     "customer_id": 1,
   *     "currency": "EUR",
   *     "due_on": "2030-01-31",
   *     "discount": {
   *       "until": "2030-01-31",
   *       "amount": "119.00"
   *     },
   *     "note": "Agreed by telephone"
   *   }
   * })
   */
  readonly "invoices.put": { readonly input: { readonly path: { readonly external_id: string | number | boolean }; readonly query?: { readonly tenant_id?: string | number | boolean }; readonly body: { readonly number: string; readonly amount: string; readonly issued_on: string; readonly customer_id?: (number) | (null); readonly currency?: string; readonly due_on?: string; readonly discount?: ({ readonly until: string; readonly amount: string }) | (null); readonly note?: (string) | (null) } }; readonly answer: BankInvoicePut }
  /**
   * One invoice with its payments
   *
   * @example
   * await signalbox("invoices.show", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "invoices.show": { readonly input: { readonly path: { readonly uuid: string | number | boolean } }; readonly answer: BankInvoice }
  /**
   * Replace an invoice
   *
   * @example
   * await signalbox("invoices.replace", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   },
   *   "body": {
   *     "number": "RE-2030-0001",
   *     "amount": "119.00",
   *     "issued_on": "2030-01-31",
   *     "customer_id": 1,
   *     "currency": "EUR",
   *     "due_on": "2030-01-31",
   *     "discount": {
   *       "until": "2030-01-31",
   *       "amount": "119.00"
   *     },
   *     "note": "Agreed by telephone"
   *   }
   * })
   */
  readonly "invoices.replace": { readonly input: { readonly path: { readonly uuid: string | number | boolean }; readonly body: { readonly number: string; readonly amount: string; readonly issued_on: string; readonly customer_id?: (number) | (null); readonly currency?: string; readonly due_on?: string; readonly discount?: ({ readonly until: string; readonly amount: string }) | (null); readonly note?: (string) | (null) } }; readonly answer: BankInvoice }
  /**
   * Change an invoice
   *
   * @example
   * await signalbox("invoices.change", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   },
   *   "body": {
   *     "number": "RE-2030-0001",
   *     "amount": "119.00",
   *     "issued_on": "2030-01-31",
   *     "customer_id": 1,
   *     "currency": "EUR",
   *     "due_on": "2030-01-31",
   *     "discount": {
   *       "until": "2030-01-31",
   *       "amount": "119.00"
   *     },
   *     "note": "Agreed by telephone"
   *   }
   * })
   */
  readonly "invoices.change": { readonly input: { readonly path: { readonly uuid: string | number | boolean }; readonly body: { readonly number?: string; readonly amount?: string; readonly issued_on?: string; readonly customer_id?: (number) | (null); readonly currency?: string; readonly due_on?: string; readonly discount?: ({ readonly until: string; readonly amount: string }) | (null); readonly note?: (string) | (null) } }; readonly answer: BankInvoice }
  /**
   * Delete an invoice
   *
   * @example
   * await signalbox("invoices.remove", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "invoices.remove": { readonly input: { readonly path: { readonly uuid: string | number | boolean } }; readonly answer: undefined }
  /**
   * Cancel an invoice
   *
   * @example
   * await signalbox("invoices.cancel", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "invoices.cancel": { readonly input: { readonly path: { readonly uuid: string | number | boolean } }; readonly answer: BankInvoice }
  /** Payments, newest first */
  readonly "payments.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly tenant_id?: string | number | boolean; readonly state?: "active" | "undone"; readonly source?: "bank" | "manual" | "card" | "wallet"; readonly customer_id?: string | number | boolean; readonly invoice_id?: string | number | boolean; readonly transaction_id?: string | number | boolean; readonly paid_from?: string | number | boolean; readonly paid_to?: string | number | boolean; readonly unassigned?: "true" | "false"; readonly currency?: string | number | boolean; readonly q?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<BankPayment>; readonly next_before: (number) | (null) } }
  /**
   * Record a payment by hand
   *
   * @example
   * await signalbox("payments.create", {
   *   "body": {
   *     "amount": "119.00",
   *     "paid_on": "2030-01-31",
   *     "customer_id": 1,
   *     "currency": "EUR",
   *     "note": "Agreed by telephone",
   *     "allocations": [
   *       {
   *         "invoice_id": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70",
   *         "invoice_number": "RE-2030-0001",
   *         "amount": "119.00",
   *         "discount": "2.00"
   *       }
   *     ],
   *     "external_id": "shop-4711",
   *     "tenant_id": 1
   *   }
   * })
   */
  readonly "payments.create": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly amount: string; readonly paid_on: string; readonly customer_id?: (number) | (null); readonly currency?: string; readonly note?: (string) | (null); readonly allocations?: ReadonlyArray<unknown>; readonly external_id?: (string) | (null); readonly tenant_id?: number } }; readonly answer: BankPayment }
  /**
   * Import payments from a CSV file
   *
   * @example
   * await signalbox("payments.imported", {
   *   "body": "name,email\nAnna Example,anna@example.org\n"
   * })
   */
  readonly "payments.imported": { readonly input: { readonly query?: { readonly tenant_id?: string | number | boolean }; readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: string | Uint8Array<ArrayBuffer> }; readonly answer: BankImport_1 }
  /**
   * Progress of an import
   *
   * @example
   * await signalbox("payments.progress", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "payments.progress": { readonly input: { readonly path: { readonly uuid: string | number | boolean } }; readonly answer: BankImport_1 }
  /**
   * Record the payment with this id of an outside CRM, once
   *
   * @example
   * await signalbox("payments.put", {
   *   "path": {
   *     "external_id": "shop-4711"
   *   },
   *   "body": {
   *     "amount": "119.00",
   *     "paid_on": "2030-01-31",
   *     "customer_id": 1,
   *     "currency": "EUR",
   *     "note": "Agreed by telephone",
   *     "allocations": [
   *       {
   *         "invoice_id": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70",
   *         "invoice_number": "RE-2030-0001",
   *         "amount": "119.00",
   *         "discount": "2.00"
   *       }
   *     ]
   *   }
   * })
   */
  readonly "payments.put": { readonly input: { readonly path: { readonly external_id: string | number | boolean }; readonly query?: { readonly tenant_id?: string | number | boolean }; readonly body: { readonly amount: string; readonly paid_on: string; readonly customer_id?: (number) | (null); readonly currency?: string; readonly note?: (string) | (null); readonly allocations?: ReadonlyArray<unknown> } }; readonly answer: BankPaymentPut }
  /**
   * One payment with what it settles
   *
   * @example
   * await signalbox("payments.show", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "payments.show": { readonly input: { readonly path: { readonly uuid: string | number | boolean } }; readonly answer: BankPayment }
  /**
   * Undo a payment
   *
   * @example
   * await signalbox("payments.undo", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "payments.undo": { readonly input: { readonly path: { readonly uuid: string | number | boolean } }; readonly answer: BankPayment }
  /**
   * Invoices that a transaction may pay, best first
   *
   * @example
   * await signalbox("reconciliation.suggestions", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "reconciliation.suggestions": { readonly input: { readonly path: { readonly uuid: string | number | boolean }; readonly query?: { readonly lang?: string | number | boolean } }; readonly answer: { readonly transaction_id: string; readonly reconciliation_status: "unmatched" | "suggested" | "auto_matched" | "manual_matched" | "ignored" | "partial"; readonly amount: string; readonly currency: string; readonly matched: string; readonly unassigned: string; readonly ignored_reason: (string) | (null); readonly ignored_text: (string) | (null); readonly version: number; readonly decision: (BankDecision) | (null); readonly can_undo: boolean; readonly recognised: ({ readonly code: "fee" | "own_transfer" | "return"; readonly text: string }) | (null); readonly suggestions: ReadonlyArray<BankSuggestion> } }
  /**
   * Match a transaction with invoices
   *
   * @example
   * await signalbox("reconciliation.reconcile", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   },
   *   "body": {
   *     "allocations": [
   *       {
   *         "invoice_id": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70",
   *         "amount": "119.00"
   *       }
   *     ],
   *     "suggestion": 1,
   *     "confirm_currency": true,
   *     "note": "Agreed by telephone"
   *   }
   * })
   */
  readonly "reconciliation.reconcile": { readonly input: { readonly path: { readonly uuid: string | number | boolean }; readonly query?: { readonly lang?: string | number | boolean }; readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly allocations?: ReadonlyArray<{ readonly invoice_id: string; readonly amount?: string }>; readonly suggestion?: number; readonly confirm_currency?: boolean; readonly note?: string } }; readonly answer: BankReconciliation }
  /**
   * Ignore a transaction
   *
   * @example
   * await signalbox("reconciliation.ignore", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   },
   *   "body": {
   *     "reason": "Changed by request of the customer"
   *   }
   * })
   */
  readonly "reconciliation.ignore": { readonly input: { readonly path: { readonly uuid: string | number | boolean }; readonly query?: { readonly lang?: string | number | boolean }; readonly body: ({ readonly reason?: string }) | (null) }; readonly answer: BankReconciliation }
  /**
   * Undo the last decision about a transaction
   *
   * @example
   * await signalbox("reconciliation.undo", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "reconciliation.undo": { readonly input: { readonly path: { readonly uuid: string | number | boolean }; readonly query?: { readonly lang?: string | number | boolean } }; readonly answer: BankReconciliation }
  /**
   * Decide about all unmatched transactions
   *
   * @example
   * await signalbox("reconciliation.startBatch", {
   *   "body": {
   *     "tenant_id": 1
   *   }
   * })
   */
  readonly "reconciliation.startBatch": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: ({ readonly tenant_id?: number }) | (null) }; readonly answer: BankBatch }
  /** Batches, newest first */
  readonly "reconciliation.batches": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly tenant_id?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<BankBatch>; readonly next_before: (number) | (null) } }
  /**
   * One batch with its progress
   *
   * @example
   * await signalbox("reconciliation.batch", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "reconciliation.batch": { readonly input: { readonly path: { readonly uuid: string | number | boolean } }; readonly answer: BankBatch }
  /** Balances, unmatched transactions, open invoices, and figures of each day */
  readonly "reconciliation.dashboard": { readonly input: { readonly query?: { readonly tenant_id?: string | number | boolean; readonly days?: string | number | boolean } }; readonly answer: BankDashboard }
  /**
   * Receive an event of a payment provider
   *
   * @example
   * await signalbox("paymentWebhooks.receive", {
   *   "path": {
   *     "provider": "card"
   *   }
   * })
   */
  readonly "paymentWebhooks.receive": { readonly input: { readonly path: { readonly provider: "card" | "wallet" } }; readonly answer: PaymentWebhookReceived }
  /** Received events of payment providers, newest first */
  readonly "paymentWebhookEvents.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly tenant_id?: string | number | boolean; readonly provider?: "card" | "wallet"; readonly state?: "applied" | "unknown" | "failed"; readonly type?: string | number | boolean; readonly signed?: "true" | "false"; readonly event_id?: string | number | boolean; readonly payment_id?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<PaymentWebhookEventSummary>; readonly next_before: (number) | (null) } }
  /**
   * One received event with its body
   *
   * @example
   * await signalbox("paymentWebhookEvents.show", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "paymentWebhookEvents.show": { readonly input: { readonly path: { readonly uuid: string | number | boolean } }; readonly answer: PaymentWebhookEvent }
  /** The services, in their order */
  readonly "provisioningCatalog.services": { readonly input: {  }; readonly answer: { readonly items: ReadonlyArray<ProvisioningService> } }
  /**
   * Add a service
   *
   * @example
   * await signalbox("provisioningCatalog.addService", {
   *   "body": {
   *     "slug": "mail",
   *     "name_i18n": {
   *       "en": "Mail",
   *       "de": "E-Mail"
   *     },
   *     "description_i18n": {
   *       "en": "A mailbox",
   *       "de": "Ein Postfach"
   *     },
   *     "icon": "mail",
   *     "config_template": {},
   *     "feature_slug": "text",
   *     "is_base": true,
   *     "position": 1
   *   }
   * })
   */
  readonly "provisioningCatalog.addService": { readonly input: { readonly body: { readonly slug: string; readonly name_i18n: Readonly<Record<string, string>>; readonly description_i18n: Readonly<Record<string, string>>; readonly icon: string; readonly config_template: Readonly<Record<string, unknown>>; readonly feature_slug: string; readonly is_base: boolean; readonly position: number } }; readonly answer: ProvisioningService }
  /**
   * Change a service
   *
   * @example
   * await signalbox("provisioningCatalog.changeService", {
   *   "path": {
   *     "slug": "mail"
   *   },
   *   "body": {
   *     "name_i18n": {
   *       "en": "Mail",
   *       "de": "E-Mail"
   *     },
   *     "description_i18n": {
   *       "en": "A mailbox",
   *       "de": "Ein Postfach"
   *     },
   *     "icon": "mail",
   *     "config_template": {},
   *     "feature_slug": "text",
   *     "is_base": true,
   *     "position": 1
   *   }
   * })
   */
  readonly "provisioningCatalog.changeService": { readonly input: { readonly path: { readonly slug: string | number | boolean }; readonly body: { readonly name_i18n?: Readonly<Record<string, string>>; readonly description_i18n?: Readonly<Record<string, string>>; readonly icon?: string; readonly config_template?: Readonly<Record<string, unknown>>; readonly feature_slug?: string; readonly is_base?: boolean; readonly position?: number } }; readonly answer: ProvisioningService }
  /**
   * Delete a service with its mappings
   *
   * @example
   * await signalbox("provisioningCatalog.removeService", {
   *   "path": {
   *     "slug": "mail"
   *   }
   * })
   */
  readonly "provisioningCatalog.removeService": { readonly input: { readonly path: { readonly slug: string | number | boolean } }; readonly answer: undefined }
  /** The packages that tenants subscribe to */
  readonly "provisioningCatalog.packages": { readonly input: {  }; readonly answer: { readonly items: ReadonlyArray<ProvisioningPackage> } }
  /**
   * Add a package
   *
   * @example
   * await signalbox("provisioningCatalog.addPackage", {
   *   "body": {
   *     "slug": "mail",
   *     "name": "Example",
   *     "type": "plan"
   *   }
   * })
   */
  readonly "provisioningCatalog.addPackage": { readonly input: { readonly body: { readonly slug: string; readonly name: string; readonly type: string } }; readonly answer: ProvisioningPackage }
  /**
   * Delete a package
   *
   * @example
   * await signalbox("provisioningCatalog.removePackage", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "provisioningCatalog.removePackage": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: undefined }
  /** The mappings, by service */
  readonly "provisioningCatalog.mappings": { readonly input: {  }; readonly answer: { readonly items: ReadonlyArray<ProvisioningMapping> } }
  /**
   * Add a mapping
   *
   * @example
   * await signalbox("provisioningCatalog.addMapping", {
   *   "body": {
   *     "service": "mail",
   *     "module_slug": "text",
   *     "package_type": "text",
   *     "package_id": 7
   *   }
   * })
   */
  readonly "provisioningCatalog.addMapping": { readonly input: { readonly body: { readonly service: string; readonly module_slug?: (string) | (null); readonly package_type?: (string) | (null); readonly package_id?: (number) | (null) } }; readonly answer: ProvisioningMapping }
  /**
   * Delete a mapping
   *
   * @example
   * await signalbox("provisioningCatalog.removeMapping", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "provisioningCatalog.removeMapping": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: undefined }
  /** Plan and bookings of the tenant, and which services they contain */
  readonly "provisioningBookings.show": { readonly input: { readonly query?: { readonly tenant_id?: string | number | boolean } }; readonly answer: ProvisioningBookings }
  /**
   * Change plan and domain of a tenant
   *
   * @example
   * await signalbox("provisioningBookings.setPlan", {
   *   "body": {
   *     "plan": "text",
   *     "base_domain": "example.org"
   *   }
   * })
   */
  readonly "provisioningBookings.setPlan": { readonly input: { readonly query?: { readonly tenant_id?: string | number | boolean }; readonly body: { readonly plan?: string; readonly base_domain?: (string) | (null) } }; readonly answer: ProvisioningBookings }
  /**
   * Book or change a module
   *
   * @example
   * await signalbox("provisioningBookings.setModule", {
   *   "path": {
   *     "slug": "mail"
   *   },
   *   "body": {
   *     "tier": "text",
   *     "status": "active"
   *   }
   * })
   */
  readonly "provisioningBookings.setModule": { readonly input: { readonly path: { readonly slug: string | number | boolean }; readonly query?: { readonly tenant_id?: string | number | boolean }; readonly body: { readonly tier?: (string) | (null); readonly status?: "active" | "trial" | "suspended" | "cancelled" | "expired" } }; readonly answer: ProvisioningModule }
  /**
   * Delete a booked module
   *
   * @example
   * await signalbox("provisioningBookings.removeModule", {
   *   "path": {
   *     "slug": "mail"
   *   }
   * })
   */
  readonly "provisioningBookings.removeModule": { readonly input: { readonly path: { readonly slug: string | number | boolean }; readonly query?: { readonly tenant_id?: string | number | boolean } }; readonly answer: undefined }
  /**
   * Subscribe a tenant to a package
   *
   * @example
   * await signalbox("provisioningBookings.subscribe", {
   *   "body": {
   *     "package_id": 7,
   *     "status": "active"
   *   }
   * })
   */
  readonly "provisioningBookings.subscribe": { readonly input: { readonly query?: { readonly tenant_id?: string | number | boolean }; readonly body: { readonly package_id: number; readonly status?: "active" | "trial" | "suspended" | "cancelled" | "expired" } }; readonly answer: ProvisioningSubscription }
  /**
   * Change the status of a subscription
   *
   * @example
   * await signalbox("provisioningBookings.setSubscription", {
   *   "path": {
   *     "id": "7"
   *   },
   *   "body": {
   *     "status": "active"
   *   }
   * })
   */
  readonly "provisioningBookings.setSubscription": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly query?: { readonly tenant_id?: string | number | boolean }; readonly body: { readonly status: "active" | "trial" | "suspended" | "cancelled" | "expired" } }; readonly answer: ProvisioningSubscription }
  /**
   * Delete a subscription
   *
   * @example
   * await signalbox("provisioningBookings.unsubscribe", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "provisioningBookings.unsubscribe": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly query?: { readonly tenant_id?: string | number | boolean } }; readonly answer: undefined }
  /**
   * Book or change an addon
   *
   * @example
   * await signalbox("provisioningBookings.setAddon", {
   *   "path": {
   *     "slug": "mail"
   *   },
   *   "body": {
   *     "status": "active",
   *     "quantity": 1
   *   }
   * })
   */
  readonly "provisioningBookings.setAddon": { readonly input: { readonly path: { readonly slug: string | number | boolean }; readonly query?: { readonly tenant_id?: string | number | boolean }; readonly body: { readonly status?: "active" | "trial" | "suspended" | "cancelled" | "expired"; readonly quantity?: number } }; readonly answer: ProvisioningAddon }
  /**
   * Delete a booked addon
   *
   * @example
   * await signalbox("provisioningBookings.removeAddon", {
   *   "path": {
   *     "slug": "mail"
   *   }
   * })
   */
  readonly "provisioningBookings.removeAddon": { readonly input: { readonly path: { readonly slug: string | number | boolean }; readonly query?: { readonly tenant_id?: string | number | boolean } }; readonly answer: undefined }
  /**
   * Create a provisioning link
   *
   * @example
   * await signalbox("clientTokens.create", {
   *   "body": {
   *     "user_id": 7,
   *     "label": "Office"
   *   }
   * })
   */
  readonly "clientTokens.create": { readonly input: { readonly body: ({ readonly user_id?: number; readonly label?: (string) | (null) }) | (null) }; readonly answer: NewClientToken }
  /** Tokens, newest first */
  readonly "clientTokens.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly tenant_id?: string | number | boolean; readonly user_id?: string | number | boolean; readonly state?: "unused" | "used" | "expired" | "revoked" } }; readonly answer: { readonly items: ReadonlyArray<ClientToken>; readonly next_before: (number) | (null) } }
  /**
   * Revoke a token
   *
   * @example
   * await signalbox("clientTokens.revoke", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "clientTokens.revoke": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: undefined }
  /**
   * Send a provisioning link to its user by mail
   *
   * @example
   * await signalbox("provisioningLinkMail.send", {
   *   "path": {
   *     "id": "7"
   *   },
   *   "body": {
   *     "link": "https://www.example.org/"
   *   }
   * })
   */
  readonly "provisioningLinkMail.send": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly body: { readonly link: string } }; readonly answer: undefined }
  /** Devices, newest first */
  readonly "provisioningDevices.list": { readonly input: { readonly query?: { readonly tenant_id?: string | number | boolean; readonly user_id?: string | number | boolean; readonly revoked?: "true" | "false" } }; readonly answer: { readonly items: ReadonlyArray<ProvisionedDevice> } }
  /**
   * One device
   *
   * @example
   * await signalbox("provisioningDevices.show", {
   *   "path": {
   *     "id": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "provisioningDevices.show": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: ProvisionedDevice }
  /**
   * Revoke a device
   *
   * @example
   * await signalbox("provisioningDevices.revoke", {
   *   "path": {
   *     "id": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "provisioningDevices.revoke": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: RevokedDevice }
  /**
   * Configuration profile for Apple devices
   *
   * @example
   * await signalbox("provisioningDevicePages.profile", {
   *   "body": {
   *     "profile": "text"
   *   }
   * })
   */
  readonly "provisioningDevicePages.profile": { readonly input: { readonly body: string | Uint8Array<ArrayBuffer> }; readonly answer: string | Uint8Array<ArrayBuffer> }
  /**
   * Configuration of a telephone
   *
   * @example
   * await signalbox("provisioningDevicePages.phoneFile", {
   *   "path": {
   *     "secret": "c2VjcmV0LXNlY3JldC1zZWNyZXQ",
   *     "file": "status.svg"
   *   }
   * })
   */
  readonly "provisioningDevicePages.phoneFile": { readonly input: { readonly path: { readonly secret: string | number | boolean; readonly file: string | number | boolean } }; readonly answer: string | Uint8Array<ArrayBuffer> }
  /**
   * Set up a device by its link
   *
   * @example
   * await signalbox("provisioningRetrieval.retrieve", {
   *   "path": {
   *     "token": "c2VjcmV0LXNlY3JldC1zZWNyZXQ"
   *   }
   * })
   */
  readonly "provisioningRetrieval.retrieve": { readonly input: { readonly path: { readonly token: string | number | boolean }; readonly query?: { readonly lang?: string | number | boolean; readonly device?: string | number | boolean } }; readonly answer: ProvisioningAnswer }
  /**
   * Set up a device: the page's button
   *
   * @example
   * await signalbox("provisioningRetrieval.retrieveByButton", {
   *   "path": {
   *     "token": "c2VjcmV0LXNlY3JldC1zZWNyZXQ"
   *   }
   * })
   */
  readonly "provisioningRetrieval.retrieveByButton": { readonly input: { readonly path: { readonly token: string | number | boolean }; readonly query?: { readonly lang?: string | number | boolean; readonly device?: string | number | boolean } }; readonly answer: ProvisioningAnswer }
  /** The caller's services, without credentials */
  readonly "provisioningServices.mine": { readonly input: { readonly query?: { readonly lang?: string | number | boolean } }; readonly answer: ProvisioningAnswer }
  /** Active model, and where to send audio */
  readonly "wakeword.status": { readonly input: {  }; readonly answer: WakeWordStatus }
  /** Network of the active model */
  readonly "wakeword.activeModel": { readonly input: {  }; readonly answer: string | Uint8Array<ArrayBuffer> }
  /** Embedding network of the active model's extractor */
  readonly "wakeword.activeEmbedding": { readonly input: {  }; readonly answer: string | Uint8Array<ArrayBuffer> }
  /** Mel network of the active model's extractor */
  readonly "wakeword.activeMel": { readonly input: {  }; readonly answer: string | Uint8Array<ArrayBuffer> }
  /** Trained models, newest first */
  readonly "wakewordModels.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly tenant_id?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<WakeWordModel>; readonly next_before: (number) | (null) } }
  /**
   * One model with its measurements
   *
   * @example
   * await signalbox("wakewordModels.show", {
   *   "path": {
   *     "name": "computer-small"
   *   }
   * })
   */
  readonly "wakewordModels.show": { readonly input: { readonly path: { readonly name: string | number | boolean }; readonly query?: { readonly tenant_id?: string | number | boolean } }; readonly answer: WakeWordModelDetail }
  /**
   * Delete a model
   *
   * @example
   * await signalbox("wakewordModels.remove", {
   *   "path": {
   *     "name": "computer-small"
   *   }
   * })
   */
  readonly "wakewordModels.remove": { readonly input: { readonly path: { readonly name: string | number | boolean }; readonly query?: { readonly tenant_id?: string | number | boolean } }; readonly answer: undefined }
  /**
   * File of a model: ONNX
   *
   * @example
   * await signalbox("wakewordModels.file", {
   *   "path": {
   *     "name": "computer-small"
   *   }
   * })
   */
  readonly "wakewordModels.file": { readonly input: { readonly path: { readonly name: string | number | boolean }; readonly query?: { readonly tenant_id?: string | number | boolean } }; readonly answer: string | Uint8Array<ArrayBuffer> }
  /**
   * Activate a model for all users of the tenant
   *
   * @example
   * await signalbox("wakewordModels.activate", {
   *   "path": {
   *     "name": "computer-small"
   *   }
   * })
   */
  readonly "wakewordModels.activate": { readonly input: { readonly path: { readonly name: string | number | boolean }; readonly query?: { readonly tenant_id?: string | number | boolean; readonly force?: "true" | "false" } }; readonly answer: WakeWordModel }
  /**
   * Deactivate a model
   *
   * @example
   * await signalbox("wakewordModels.deactivate", {
   *   "path": {
   *     "name": "computer-small"
   *   }
   * })
   */
  readonly "wakewordModels.deactivate": { readonly input: { readonly path: { readonly name: string | number | boolean }; readonly query?: { readonly tenant_id?: string | number | boolean } }; readonly answer: WakeWordModel }
  /**
   * Upload recordings of a word
   *
   * @example
   * await signalbox("wakewordSamples.upload", {
   *   "body": {
   *     "word": "computer",
   *     "speaker": "text",
   *     "files": [
   *       "status.svg"
   *     ]
   *   }
   * })
   */
  readonly "wakewordSamples.upload": { readonly input: { readonly query?: { readonly tenant_id?: string | number | boolean }; readonly body: string | Uint8Array<ArrayBuffer> }; readonly answer: WakeWordUpload }
  /** Recordings grouped by word */
  readonly "wakewordSamples.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly after?: string | number | boolean; readonly tenant_id?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<WakeWordSamplesOfWord>; readonly next_after: (string) | (null) } }
  /**
   * Recordings of a word, newest first
   *
   * @example
   * await signalbox("wakewordSamples.ofWord", {
   *   "path": {
   *     "word": "computer"
   *   }
   * })
   */
  readonly "wakewordSamples.ofWord": { readonly input: { readonly path: { readonly word: string | number | boolean }; readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly tenant_id?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<WakeWordSample>; readonly next_before: (number) | (null) } }
  /**
   * Delete all recordings of a word
   *
   * @example
   * await signalbox("wakewordSamples.removeWord", {
   *   "path": {
   *     "word": "computer"
   *   }
   * })
   */
  readonly "wakewordSamples.removeWord": { readonly input: { readonly path: { readonly word: string | number | boolean }; readonly query?: { readonly tenant_id?: string | number | boolean } }; readonly answer: { readonly deleted: number } }
  /**
   * A recording as WAV, 16 kHz, Int16, one channel
   *
   * @example
   * await signalbox("wakewordSamples.audio", {
   *   "path": {
   *     "word": "computer",
   *     "id": "7"
   *   }
   * })
   */
  readonly "wakewordSamples.audio": { readonly input: { readonly path: { readonly word: string | number | boolean; readonly id: string | number | boolean }; readonly query?: { readonly tenant_id?: string | number | boolean } }; readonly answer: string | Uint8Array<ArrayBuffer> }
  /**
   * Delete a recording
   *
   * @example
   * await signalbox("wakewordSamples.remove", {
   *   "path": {
   *     "word": "computer",
   *     "id": "7"
   *   }
   * })
   */
  readonly "wakewordSamples.remove": { readonly input: { readonly path: { readonly word: string | number | boolean; readonly id: string | number | boolean }; readonly query?: { readonly tenant_id?: string | number | boolean } }; readonly answer: undefined }
  /**
   * Train a model for a word
   *
   * @example
   * await signalbox("wakewordTraining.train", {
   *   "body": {
   *     "word": "computer",
   *     "language": "en",
   *     "name": "computer-small",
   *     "seed": 1,
   *     "size": "small",
   *     "use_uploads": true,
   *     "tenant_id": 1
   *   }
   * })
   */
  readonly "wakewordTraining.train": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly word: string; readonly language?: string; readonly name?: string; readonly seed?: number; readonly size?: "small" | "full"; readonly use_uploads?: boolean; readonly tenant_id?: number } }; readonly answer: WakeWordTraining }
  /** Trainings, newest first */
  readonly "wakewordTraining.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly tenant_id?: string | number | boolean; readonly state?: "waiting" | "running" | "done" | "failed" | "cancelled" } }; readonly answer: { readonly items: ReadonlyArray<WakeWordTraining>; readonly next_before: (number) | (null) } }
  /**
   * Get a training, with the progress of each phase
   *
   * @example
   * await signalbox("wakewordTraining.show", {
   *   "path": {
   *     "job_id": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "wakewordTraining.show": { readonly input: { readonly path: { readonly job_id: string | number | boolean } }; readonly answer: WakeWordTraining }
  /**
   * Cancel a training
   *
   * @example
   * await signalbox("wakewordTraining.cancel", {
   *   "path": {
   *     "job_id": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "wakewordTraining.cancel": { readonly input: { readonly path: { readonly job_id: string | number | boolean } }; readonly answer: WakeWordTraining }
  /** Languages that voices of this machine speak */
  readonly "wakewordTraining.languages": { readonly input: {  }; readonly answer: ReadonlyArray<WakeWordLanguage> }
  /** Alerts, newest first */
  readonly "monitoringAlerts.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly state?: "open" | "closed"; readonly severity?: "warning" | "critical"; readonly group?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<MonitoringAlert>; readonly next_before: (number) | (null) } }
  /**
   * One alert with its messages
   *
   * @example
   * await signalbox("monitoringAlerts.show", {
   *   "path": {
   *     "id": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "monitoringAlerts.show": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: MonitoringAlertDetail }
  /**
   * Acknowledge an open alert
   *
   * @example
   * await signalbox("monitoringAlerts.acknowledge", {
   *   "path": {
   *     "id": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   },
   *   "body": {
   *     "note": "Agreed by telephone"
   *   }
   * })
   */
  readonly "monitoringAlerts.acknowledge": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly body: { readonly note?: string } }; readonly answer: MonitoringAlert }
  /** Send a test message by every configured way */
  readonly "monitoringAlerts.test": { readonly input: {  }; readonly answer: MonitoringMessage }
  /**
   * One message with its deliveries
   *
   * @example
   * await signalbox("monitoringAlerts.message", {
   *   "path": {
   *     "id": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "monitoringAlerts.message": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: MonitoringMessage }
  /** Rules of repeats, gathering and flapping */
  readonly "monitoringAlerts.rules": { readonly input: {  }; readonly answer: MonitoringAlertRules }
  /**
   * Change these rules
   *
   * @example
   * await signalbox("monitoringAlerts.setRules", {
   *   "body": {
   *     "repeat_critical_minutes": [
   *       1
   *     ],
   *     "repeat_warning_minutes": [
   *       1
   *     ],
   *     "gather_s": 60,
   *     "group_interval_s": 60,
   *     "flap_changes": 1,
   *     "flap_window_minutes": 15
   *   }
   * })
   */
  readonly "monitoringAlerts.setRules": { readonly input: { readonly body: MonitoringAlertRules }; readonly answer: MonitoringAlertRules }
  /** Silences, newest first */
  readonly "monitoringSilences.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly state?: "planned" | "active" | "over" } }; readonly answer: { readonly items: ReadonlyArray<MonitoringSilence>; readonly next_before: (number) | (null) } }
  /**
   * Silence alerts for a time
   *
   * @example
   * await signalbox("monitoringSilences.create", {
   *   "body": {
   *     "key_pattern": "text",
   *     "group_pattern": "text",
   *     "reason": "Changed by request of the customer",
   *     "starts_at": "2030-01-31T12:00:00Z",
   *     "ends_at": "2030-01-31T12:00:00Z"
   *   }
   * })
   */
  readonly "monitoringSilences.create": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly key_pattern?: string; readonly group_pattern?: string; readonly reason: string; readonly starts_at?: string; readonly ends_at: string } }; readonly answer: MonitoringSilence }
  /**
   * One silence
   *
   * @example
   * await signalbox("monitoringSilences.show", {
   *   "path": {
   *     "id": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "monitoringSilences.show": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: MonitoringSilence }
  /**
   * Change a silence that is not over
   *
   * @example
   * await signalbox("monitoringSilences.edit", {
   *   "path": {
   *     "id": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   },
   *   "body": {
   *     "key_pattern": "text",
   *     "group_pattern": "text",
   *     "reason": "Changed by request of the customer",
   *     "starts_at": "2030-01-31T12:00:00Z",
   *     "ends_at": "2030-01-31T12:00:00Z"
   *   }
   * })
   */
  readonly "monitoringSilences.edit": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly body: { readonly key_pattern?: (string) | (null); readonly group_pattern?: (string) | (null); readonly reason?: string; readonly starts_at?: string; readonly ends_at?: string } }; readonly answer: MonitoringSilence }
  /**
   * End a silence now
   *
   * @example
   * await signalbox("monitoringSilences.end", {
   *   "path": {
   *     "id": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "monitoringSilences.end": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: undefined }
  /** Heartbeats of other hosts that are expected here */
  readonly "monitoringHeartbeats.list": { readonly input: {  }; readonly answer: { readonly items: ReadonlyArray<MonitoringHeartbeat> } }
  /**
   * Heartbeat of another host
   *
   * @example
   * await signalbox("monitoringHeartbeats.beat", {
   *   "path": {
   *     "name": "Example"
   *   },
   *   "body": {
   *     "timeout_s": 60
   *   }
   * })
   */
  readonly "monitoringHeartbeats.beat": { readonly input: { readonly path: { readonly name: string | number | boolean }; readonly body: { readonly timeout_s: number } }; readonly answer: undefined }
  /**
   * Expect no further heartbeats of a host
   *
   * @example
   * await signalbox("monitoringHeartbeats.forget", {
   *   "path": {
   *     "name": "Example"
   *   }
   * })
   */
  readonly "monitoringHeartbeats.forget": { readonly input: { readonly path: { readonly name: string | number | boolean } }; readonly answer: undefined }
  /** Containers, systemd units and own daemons, by kind and name */
  readonly "systemServices.list": { readonly input: { readonly query?: { readonly kind?: "container" | "unit" | "daemon"; readonly state?: "running" | "starting" | "stopped" | "failed" | "unknown"; readonly search?: string | number | boolean; readonly limit?: string | number | boolean; readonly before?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<SystemService>; readonly next_before: (string) | (null); readonly sources: ReadonlyArray<ServiceSource> } }
  /**
   * One service with its recent restarts
   *
   * @example
   * await signalbox("systemServices.show", {
   *   "path": {
   *     "name": "Example"
   *   }
   * })
   */
  readonly "systemServices.show": { readonly input: { readonly path: { readonly name: string | number | boolean } }; readonly answer: SystemServiceDetails }
  /**
   * Restart a service
   *
   * @example
   * await signalbox("systemServices.restart", {
   *   "path": {
   *     "name": "Example"
   *   },
   *   "body": {
   *     "reason": "Changed by request of the customer"
   *   }
   * })
   */
  readonly "systemServices.restart": { readonly input: { readonly path: { readonly name: string | number | boolean }; readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: ({ readonly reason?: string }) | (null) }; readonly answer: ServiceRestart }
  /**
   * The last lines of a service's log, oldest first
   *
   * @example
   * await signalbox("systemServices.logs", {
   *   "path": {
   *     "name": "Example"
   *   }
   * })
   */
  readonly "systemServices.logs": { readonly input: { readonly path: { readonly name: string | number | boolean }; readonly query?: { readonly lines?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<ServiceLogLine>; readonly truncated: boolean } }
  /**
   * Follow a service's log
   *
   * @example
   * await signalbox("systemServices.follow", {
   *   "path": {
   *     "name": "Example"
   *   }
   * })
   */
  readonly "systemServices.follow": { readonly input: { readonly path: { readonly name: string | number | boolean }; readonly query?: { readonly lines?: string | number | boolean } }; readonly answer: string | Uint8Array<ArrayBuffer> }
  /** Backups in the repository, newest first */
  readonly "backups.list": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly type?: "full" | "databases" | "files" | "configuration"; readonly schedule_id?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<Backup>; readonly next_before: (number) | (null) } }
  /** Schedules */
  readonly "backups.schedules": { readonly input: {  }; readonly answer: ReadonlyArray<BackupSchedule> }
  /**
   * Add a schedule
   *
   * @example
   * await signalbox("backups.addSchedule", {
   *   "body": {
   *     "name": "Example",
   *     "cron": "0 4 * * 0",
   *     "type": "full",
   *     "enabled": true
   *   }
   * })
   */
  readonly "backups.addSchedule": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly name: string; readonly cron: string; readonly type: "full" | "databases" | "files" | "configuration"; readonly enabled?: boolean } }; readonly answer: BackupSchedule }
  /** Backups, drills and restores that ran or wait, newest first */
  readonly "backups.jobs": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly work?: "backup" | "drill" | "restore"; readonly state?: "waiting" | "running" | "done" | "failed" | "lost"; readonly schedule_id?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<BackupJob>; readonly next_before: (number) | (null) } }
  /**
   * One job with its progress, and with the report of a drill
   *
   * @example
   * await signalbox("backups.job", {
   *   "path": {
   *     "uuid": "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70"
   *   }
   * })
   */
  readonly "backups.job": { readonly input: { readonly path: { readonly uuid: string | number | boolean } }; readonly answer: BackupJob }
  /** What retention would delete now */
  readonly "backups.retention": { readonly input: {  }; readonly answer: BackupRetention }
  /**
   * Change a schedule, or switch it on or off
   *
   * @example
   * await signalbox("backups.changeSchedule", {
   *   "path": {
   *     "id": "7"
   *   },
   *   "body": {
   *     "name": "Example",
   *     "cron": "0 4 * * 0",
   *     "type": "full",
   *     "enabled": true
   *   }
   * })
   */
  readonly "backups.changeSchedule": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly body: { readonly name?: string; readonly cron?: string; readonly type?: "full" | "databases" | "files" | "configuration"; readonly enabled?: boolean } }; readonly answer: BackupSchedule }
  /**
   * Remove a schedule
   *
   * @example
   * await signalbox("backups.removeSchedule", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "backups.removeSchedule": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: undefined }
  /**
   * Run a schedule now
   *
   * @example
   * await signalbox("backups.trigger", {
   *   "path": {
   *     "schedule_id": "7"
   *   }
   * })
   */
  readonly "backups.trigger": { readonly input: { readonly path: { readonly schedule_id: string | number | boolean }; readonly header?: { readonly "idempotency-key"?: string | number | boolean } }; readonly answer: BackupJob }
  /** Prove that the newest backup restores */
  readonly "backups.drill": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean } }; readonly answer: BackupJob }
  /** Active bans, newest first */
  readonly "security.decisions": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly address?: string | number | boolean; readonly source?: "own" | "crowdsec"; readonly rule?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<SecurityDecision>; readonly next_before: (number) | (null); readonly crowdsec: CrowdSecState } }
  /**
   * Ban an address or range
   *
   * @example
   * await signalbox("security.ban", {
   *   "body": {
   *     "address": "203.0.113.10",
   *     "duration_s": 60,
   *     "reason": "Changed by request of the customer"
   *   }
   * })
   */
  readonly "security.ban": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly address: string; readonly duration_s: number; readonly reason: string } }; readonly answer: SecurityDecision }
  /**
   * Lift a ban
   *
   * @example
   * await signalbox("security.lift", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "security.lift": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly query?: { readonly exempt_s?: string | number | boolean; readonly reason?: string | number | boolean } }; readonly answer: SecurityLift }
  /** Offences, bans and lifts, newest first */
  readonly "security.alerts": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean; readonly address?: string | number | boolean; readonly source?: "own" | "crowdsec"; readonly rule?: string | number | boolean; readonly kind?: "ban" | "lift" | "exemption" | "exemption_end" | "offence" } }; readonly answer: { readonly items: ReadonlyArray<SecurityAlert>; readonly next_before: (number) | (null); readonly crowdsec: CrowdSecState } }
  /** Bans and offences by rule, source, day and address */
  readonly "security.summary": { readonly input: { readonly query?: { readonly days?: string | number | boolean } }; readonly answer: SecuritySummary }
  /** Active exemptions, newest first */
  readonly "security.exemptions": { readonly input: { readonly query?: { readonly limit?: string | number | boolean; readonly before?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<SecurityExemption>; readonly next_before: (number) | (null) } }
  /**
   * Exempt an address or range from bans
   *
   * @example
   * await signalbox("security.exempt", {
   *   "body": {
   *     "address": "203.0.113.10",
   *     "duration_s": 60,
   *     "reason": "Changed by request of the customer"
   *   }
   * })
   */
  readonly "security.exempt": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly address: string; readonly duration_s: number; readonly reason: string } }; readonly answer: SecurityExemption }
  /**
   * End an exemption
   *
   * @example
   * await signalbox("security.endExemption", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "security.endExemption": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: undefined }
  /** Checks with their last results, newest first */
  readonly "monitoringChecks.list": { readonly input: { readonly query?: { readonly kind?: "container" | "engine" | "mail_queue" | "disk" | "inodes" | "certificate" | "memory" | "load" | "clock" | "unit" | "postgres" | "connections" | "transaction" | "dead_rows" | "replication" | "daemon" | "backup" | "http" | "tcp" | "command"; readonly status?: "pending" | "ok" | "warning" | "critical" | "unknown"; readonly origin?: "built_in" | "operator"; readonly host?: string | number | boolean; readonly alerting?: "true" | "false"; readonly q?: string | number | boolean; readonly limit?: string | number | boolean; readonly before?: string | number | boolean } }; readonly answer: { readonly items: ReadonlyArray<MonitoringCheck>; readonly next_before: (number) | (null) } }
  /**
   * Add a check
   *
   * @example
   * await signalbox("monitoringChecks.add", {
   *   "body": {
   *     "name": "Example",
   *     "definition": {
   *       "type": "http",
   *       "url": "https://www.example.org/",
   *       "expect": [
   *         100
   *       ],
   *       "contains": "text"
   *     },
   *     "group": "monitoring",
   *     "host": "mx.example.org",
   *     "interval_s": 60,
   *     "timeout_s": 60,
   *     "warning": 1,
   *     "critical": 1,
   *     "failures": 1,
   *     "successes": 1
   *   }
   * })
   */
  readonly "monitoringChecks.add": { readonly input: { readonly header?: { readonly "idempotency-key"?: string | number | boolean }; readonly body: { readonly name: string; readonly definition: ({ readonly type: "http"; readonly url: string; readonly expect?: ReadonlyArray<unknown>; readonly contains?: string }) | ({ readonly type: "tcp"; readonly host: string; readonly port: number }) | ({ readonly type: "certificate"; readonly host: string; readonly port: number; readonly servername?: string }) | ({ readonly type: "command"; readonly program: string; readonly arguments?: ReadonlyArray<unknown> }); readonly group?: string; readonly host?: (string) | (null); readonly interval_s?: (number) | (null); readonly timeout_s?: (number) | (null); readonly warning?: (number) | (null); readonly critical?: (number) | (null); readonly failures?: (number) | (null); readonly successes?: (number) | (null) } }; readonly answer: MonitoringCheck }
  /**
   * One check with its history
   *
   * @example
   * await signalbox("monitoringChecks.show", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "monitoringChecks.show": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly query?: { readonly hours?: string | number | boolean } }; readonly answer: MonitoringCheckWithHistory }
  /**
   * Change thresholds, times or the definition of a check, or disable it
   *
   * @example
   * await signalbox("monitoringChecks.change", {
   *   "path": {
   *     "id": "7"
   *   },
   *   "body": {
   *     "enabled": true,
   *     "interval_s": 60,
   *     "timeout_s": 60,
   *     "warning": 1,
   *     "critical": 1,
   *     "failures": 1,
   *     "successes": 1,
   *     "definition": {
   *       "type": "http",
   *       "url": "https://www.example.org/",
   *       "expect": [
   *         100
   *       ],
   *       "contains": "text"
   *     },
   *     "group": "monitoring"
   *   }
   * })
   */
  readonly "monitoringChecks.change": { readonly input: { readonly path: { readonly id: string | number | boolean }; readonly body: { readonly enabled?: boolean; readonly interval_s?: (number) | (null); readonly timeout_s?: (number) | (null); readonly warning?: (number) | (null); readonly critical?: (number) | (null); readonly failures?: (number) | (null); readonly successes?: (number) | (null); readonly definition?: ({ readonly type: "http"; readonly url: string; readonly expect?: ReadonlyArray<unknown>; readonly contains?: string }) | ({ readonly type: "tcp"; readonly host: string; readonly port: number }) | ({ readonly type: "certificate"; readonly host: string; readonly port: number; readonly servername?: string }) | ({ readonly type: "command"; readonly program: string; readonly arguments?: ReadonlyArray<unknown> }); readonly group?: string } }; readonly answer: MonitoringCheck }
  /**
   * Remove an operator's check
   *
   * @example
   * await signalbox("monitoringChecks.remove", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "monitoringChecks.remove": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: undefined }
  /**
   * Run a check now
   *
   * @example
   * await signalbox("monitoringChecks.run", {
   *   "path": {
   *     "id": "7"
   *   }
   * })
   */
  readonly "monitoringChecks.run": { readonly input: { readonly path: { readonly id: string | number | boolean } }; readonly answer: MonitoringCheck }
}

/** Method and path of each operation. */
export const operations: { readonly [Name in keyof Operations]: readonly [method: string, path: string] } = {
  "keys.jwks": ["GET", "/.well-known/jwks.json"],
  "sign-in.login": ["POST", "/api/v1/auth/login"],
  "sign-in.refresh": ["POST", "/api/v1/auth/refresh"],
  "sign-in.link": ["POST", "/api/v1/auth/link"],
  "sign-in.welcome": ["GET", "/api/v1/auth/welcome"],
  "auth.logout": ["POST", "/api/v1/auth/logout"],
  "auth.me": ["GET", "/api/v1/auth/me"],
  "auth.changeMe": ["PATCH", "/api/v1/auth/me"],
  "auth.sessions": ["GET", "/api/v1/auth/sessions"],
  "auth.endOtherSessions": ["DELETE", "/api/v1/auth/sessions"],
  "auth.endSession": ["DELETE", "/api/v1/auth/sessions/{id}"],
  "auth.password": ["POST", "/api/v1/auth/password"],
  "factors.list": ["GET", "/api/v1/auth/factors"],
  "factors.beginTotp": ["POST", "/api/v1/auth/totp"],
  "factors.removeTotp": ["DELETE", "/api/v1/auth/totp"],
  "factors.confirmTotp": ["POST", "/api/v1/auth/totp/confirm"],
  "factors.beginMessenger": ["POST", "/api/v1/auth/messenger"],
  "factors.removeMessenger": ["DELETE", "/api/v1/auth/messenger"],
  "factors.confirmMessenger": ["POST", "/api/v1/auth/messenger/confirm"],
  "factors.renewCodes": ["POST", "/api/v1/auth/recovery-codes"],
  "mail-tokens.mailToken": ["POST", "/api/v1/auth/mail-token"],
  "introspection.introspect": ["POST", "/api/v1/auth/token/introspect"],
  "federation.providers": ["GET", "/api/v1/auth/providers"],
  "federation.start": ["GET", "/api/v1/auth/oidc/{provider}/start"],
  "federation.callback": ["GET", "/api/v1/auth/oidc/{provider}/callback"],
  "linked-providers.list": ["GET", "/api/v1/auth/linked"],
  "linked-providers.connect": ["POST", "/api/v1/auth/linked/{provider}"],
  "linked-providers.disconnect": ["DELETE", "/api/v1/auth/linked/{provider}"],
  "users.list": ["GET", "/api/v1/users"],
  "users.create": ["POST", "/api/v1/users"],
  "users.show": ["GET", "/api/v1/users/{id}"],
  "users.update": ["PATCH", "/api/v1/users/{id}"],
  "users.remove": ["DELETE", "/api/v1/users/{id}"],
  "users.suspend": ["POST", "/api/v1/users/{id}/suspend"],
  "users.unsuspend": ["POST", "/api/v1/users/{id}/unsuspend"],
  "users.password": ["POST", "/api/v1/users/{id}/password"],
  "users.link": ["POST", "/api/v1/users/{id}/link"],
  "users.signOut": ["POST", "/api/v1/users/{id}/sign-out"],
  "users.sessions": ["GET", "/api/v1/users/{id}/sessions"],
  "users.endSession": ["DELETE", "/api/v1/users/{id}/sessions/{session}"],
  "roles.roles": ["GET", "/api/v1/roles"],
  "tenants.list": ["GET", "/api/v1/tenants"],
  "tenants.create": ["POST", "/api/v1/tenants"],
  "tenants.show": ["GET", "/api/v1/tenants/{id}"],
  "tenants.rename": ["PATCH", "/api/v1/tenants/{id}"],
  "tenants.suspend": ["POST", "/api/v1/tenants/{id}/suspend"],
  "tenants.unsuspend": ["POST", "/api/v1/tenants/{id}/unsuspend"],
  "service-tokens.list": ["GET", "/api/v1/service-tokens"],
  "service-tokens.create": ["POST", "/api/v1/service-tokens"],
  "service-tokens.show": ["GET", "/api/v1/service-tokens/{id}"],
  "service-tokens.revoke": ["DELETE", "/api/v1/service-tokens/{id}"],
  "audit.list": ["GET", "/api/v1/audit"],
  "preferences.read": ["GET", "/api/v1/settings/preferences"],
  "preferences.write": ["PUT", "/api/v1/settings/preferences"],
  "platform-settings.list": ["GET", "/api/v1/settings/platform"],
  "platform-settings.change": ["PUT", "/api/v1/settings/platform/{name}"],
  "platform-settings.test": ["POST", "/api/v1/settings/platform/tests/{group}"],
  "branding.show": ["GET", "/api/v1/branding"],
  "setup.list": ["GET", "/api/v1/settings/setup"],
  "setup.change": ["PUT", "/api/v1/settings/setup/{name}"],
  "domains.list": ["GET", "/api/v1/mail/domains"],
  "domains.create": ["POST", "/api/v1/mail/domains"],
  "domains.show": ["GET", "/api/v1/mail/domains/{id}"],
  "domains.remove": ["DELETE", "/api/v1/mail/domains/{id}"],
  "domains.checkOwnership": ["POST", "/api/v1/mail/domains/{id}/ownership/check"],
  "domains.assert": ["POST", "/api/v1/mail/domains/{id}/assert"],
  "domains.rotate": ["POST", "/api/v1/mail/domains/{id}/dkim/rotate"],
  "domains.activate": ["POST", "/api/v1/mail/domains/{id}/dkim/{selector}/activate"],
  "domainAccounts.list": ["GET", "/api/v1/mail/domains/{id}/accounts"],
  "domainAccounts.create": ["POST", "/api/v1/mail/domains/{id}/accounts"],
  "accounts.show": ["GET", "/api/v1/mail/accounts/{id}"],
  "accounts.update": ["PUT", "/api/v1/mail/accounts/{id}"],
  "accounts.remove": ["DELETE", "/api/v1/mail/accounts/{id}"],
  "accounts.suspend": ["POST", "/api/v1/mail/accounts/{id}/suspend"],
  "accounts.unsuspend": ["POST", "/api/v1/mail/accounts/{id}/unsuspend"],
  "domainAliases.list": ["GET", "/api/v1/mail/domains/{id}/aliases"],
  "domainAliases.create": ["POST", "/api/v1/mail/domains/{id}/aliases"],
  "aliases.show": ["GET", "/api/v1/mail/aliases/{id}"],
  "aliases.remove": ["DELETE", "/api/v1/mail/aliases/{id}"],
  "bans.list": ["GET", "/api/v1/mail/bans"],
  "bans.lift": ["DELETE", "/api/v1/mail/bans/{id}"],
  "authPolicy.authPolicy": ["POST", "/api/v1/mail/auth-policy"],
  "appPasswords.list": ["GET", "/api/v1/mail/accounts/{id}/app-passwords"],
  "appPasswords.remove": ["DELETE", "/api/v1/mail/accounts/{id}/app-passwords/{password}"],
  "ownAppPasswords.list": ["GET", "/api/v1/mail/app-passwords/mine"],
  "ownAppPasswords.remove": ["DELETE", "/api/v1/mail/app-passwords/mine/{password}"],
  "autoconfig.config": ["GET", "/mail/config-v1.1.xml"],
  "autoconfig.wellKnown": ["GET", "/.well-known/autoconfig/mail/config-v1.1.xml"],
  "webmailAccounts.list": ["GET", "/api/v1/mail/webmail/accounts"],
  "webmailAccounts.create": ["POST", "/api/v1/mail/webmail/accounts"],
  "webmailAccounts.show": ["GET", "/api/v1/mail/webmail/accounts/{id}"],
  "webmailAccounts.update": ["PUT", "/api/v1/mail/webmail/accounts/{id}"],
  "webmailAccounts.remove": ["DELETE", "/api/v1/mail/webmail/accounts/{id}"],
  "webmailAccounts.makeDefault": ["POST", "/api/v1/mail/webmail/accounts/{id}/default"],
  "webmailReading.folders": ["GET", "/api/v1/mail/webmail/folders"],
  "webmailFolderChanges.create": ["POST", "/api/v1/mail/webmail/folders"],
  "webmailReading.list": ["GET", "/api/v1/mail/webmail/messages/{folder}"],
  "webmailReading.show": ["GET", "/api/v1/mail/webmail/messages/{folder}/{uid}"],
  "webmailChanges.remove": ["DELETE", "/api/v1/mail/webmail/messages/{folder}/{uid}"],
  "webmailReading.raw": ["GET", "/api/v1/mail/webmail/messages/{folder}/{uid}/raw"],
  "webmailReading.attachment": ["GET", "/api/v1/mail/webmail/messages/{folder}/{uid}/attachments/{part}"],
  "webmailReading.search": ["GET", "/api/v1/mail/webmail/search"],
  "webmailReading.threads": ["GET", "/api/v1/mail/webmail/threads/{folder}"],
  "webmailWatcher.status": ["GET", "/api/v1/mail/webmail/watcher/status"],
  "mailPush.push": ["POST", "/api/v1/mail/push/{account}"],
  "signatures.list": ["GET", "/api/v1/mail/signatures"],
  "signatures.create": ["POST", "/api/v1/mail/signatures"],
  "signatures.match": ["GET", "/api/v1/mail/signatures/match"],
  "signatures.show": ["GET", "/api/v1/mail/signatures/{id}"],
  "signatures.update": ["PUT", "/api/v1/mail/signatures/{id}"],
  "signatures.remove": ["DELETE", "/api/v1/mail/signatures/{id}"],
  "contacts.list": ["GET", "/api/v1/mail/contacts"],
  "contacts.create": ["POST", "/api/v1/mail/contacts"],
  "contacts.exported": ["GET", "/api/v1/mail/contacts/export.vcf"],
  "contacts.imported": ["POST", "/api/v1/mail/contacts/import"],
  "contacts.show": ["GET", "/api/v1/mail/contacts/{id}"],
  "contacts.update": ["PUT", "/api/v1/mail/contacts/{id}"],
  "contacts.remove": ["DELETE", "/api/v1/mail/contacts/{id}"],
  "webmailPeople.search": ["GET", "/api/v1/mail/webmail/contacts/search"],
  "webmailCompose.compose": ["GET", "/api/v1/mail/webmail/compose"],
  "webmailChanges.move": ["POST", "/api/v1/mail/webmail/messages/{folder}/{uid}/move"],
  "webmailChanges.flags": ["POST", "/api/v1/mail/webmail/messages/{folder}/{uid}/flags"],
  "webmailChanges.bulk": ["POST", "/api/v1/mail/webmail/messages/{folder}/bulk"],
  "webmailFolderChanges.rename": ["PUT", "/api/v1/mail/webmail/folders/{folder}"],
  "webmailFolderChanges.remove": ["DELETE", "/api/v1/mail/webmail/folders/{folder}"],
  "webmailFolderChanges.empty": ["POST", "/api/v1/mail/webmail/folders/{folder}/empty"],
  "webmailSend.send": ["POST", "/api/v1/mail/webmail/send"],
  "webmailDrafts.create": ["POST", "/api/v1/mail/webmail/drafts"],
  "webmailDrafts.replace": ["PUT", "/api/v1/mail/webmail/drafts/{uid}"],
  "webmailDrafts.remove": ["DELETE", "/api/v1/mail/webmail/drafts/{uid}"],
  "webmailDrafts.send": ["POST", "/api/v1/mail/webmail/drafts/{uid}/send"],
  "webmailUploads.list": ["GET", "/api/v1/mail/webmail/attachments"],
  "webmailUploads.create": ["POST", "/api/v1/mail/webmail/attachments"],
  "webmailUploads.remove": ["DELETE", "/api/v1/mail/webmail/attachments/{id}"],
  "alarm-bridge.status": ["GET", "/api/v1/alarm-bridge/status"],
  "workflows.trigger": ["POST", "/api/v1/workflows/trigger"],
  "workflows.registry": ["GET", "/api/v1/workflows"],
  "workflows.statistics": ["GET", "/api/v1/workflows/statistics"],
  "workflows.list": ["GET", "/api/v1/workflows/runs"],
  "workflows.show": ["GET", "/api/v1/workflows/runs/{id}"],
  "workflows.acknowledge": ["POST", "/api/v1/workflows/runs/{id}/acknowledge"],
  "comm.call": ["POST", "/api/v1/comm/call"],
  "comm.messenger": ["POST", "/api/v1/comm/messenger"],
  "comm.messengerVoice": ["POST", "/api/v1/comm/messenger/voice"],
  "comm.notify": ["POST", "/api/v1/comm/notify"],
  "comm.health": ["GET", "/api/v1/comm/health"],
  "comm.heartbeat": ["POST", "/api/v1/comm/heartbeat"],
  "acknowledgeLinks.show": ["POST", "/api/v1/alarm-links/show"],
  "acknowledgeLinks.acknowledge": ["POST", "/api/v1/alarm-links/acknowledge"],
  "test-alarm.send": ["POST", "/api/v1/comm/test-alarm"],
  "webhook-secrets.list": ["GET", "/api/v1/comm/webhook-secrets"],
  "webhook-secrets.rotate": ["POST", "/api/v1/comm/webhook-secrets"],
  "webhook-secrets.remove": ["DELETE", "/api/v1/comm/webhook-secrets/{id}"],
  "notifications.list": ["GET", "/api/v1/notifications"],
  "notifications.create": ["POST", "/api/v1/notifications"],
  "notifications.summary": ["GET", "/api/v1/notifications/summary"],
  "notifications.read": ["PUT", "/api/v1/notifications/{uuid}/read"],
  "notifications.unread": ["DELETE", "/api/v1/notifications/{uuid}/read"],
  "notifications.readAll": ["POST", "/api/v1/notifications/read-all"],
  "notifications.unreadAll": ["DELETE", "/api/v1/notifications/read-all"],
  "notifications.remove": ["DELETE", "/api/v1/notifications/{uuid}"],
  "notifications.preferences": ["GET", "/api/v1/notifications/preferences"],
  "notifications.choose": ["PUT", "/api/v1/notifications/preferences"],
  "notifications.settings": ["GET", "/api/v1/notifications/settings"],
  "notifications.changeSettings": ["PUT", "/api/v1/notifications/settings"],
  "push.key": ["GET", "/api/v1/notifications/push/key"],
  "push.subscriptions": ["GET", "/api/v1/notifications/push/subscriptions"],
  "push.subscribe": ["POST", "/api/v1/notifications/push/subscriptions"],
  "push.unsubscribe": ["DELETE", "/api/v1/notifications/push/subscriptions/{id}"],
  "support.create": ["POST", "/api/v1/support/sessions"],
  "support.list": ["GET", "/api/v1/support/sessions"],
  "support.own": ["GET", "/api/v1/support/sessions/mine"],
  "support.withdraw": ["DELETE", "/api/v1/support/sessions/mine"],
  "support.show": ["GET", "/api/v1/support/sessions/{code}"],
  "support.close": ["POST", "/api/v1/support/sessions/{code}/close"],
  "events.list": ["GET", "/api/v1/events"],
  "events.histogram": ["GET", "/api/v1/events/histogram"],
  "extensions.list": ["GET", "/api/v1/sip/extensions"],
  "extensions.create": ["POST", "/api/v1/sip/extensions"],
  "extensions.show": ["GET", "/api/v1/sip/extensions/{id}"],
  "extensions.update": ["PUT", "/api/v1/sip/extensions/{id}"],
  "extensions.remove": ["DELETE", "/api/v1/sip/extensions/{id}"],
  "extensions.rotate": ["POST", "/api/v1/sip/extensions/{id}/password"],
  "extensions.config": ["GET", "/api/v1/sip/extensions/{id}/config"],
  "ownExtensions.list": ["GET", "/api/v1/sip/extensions/mine"],
  "ownExtensions.config": ["GET", "/api/v1/sip/extensions/mine/{id}/config"],
  "trunks.list": ["GET", "/api/v1/sip/trunks"],
  "trunks.create": ["POST", "/api/v1/sip/trunks"],
  "trunks.show": ["GET", "/api/v1/sip/trunks/{id}"],
  "trunks.update": ["PUT", "/api/v1/sip/trunks/{id}"],
  "trunks.remove": ["DELETE", "/api/v1/sip/trunks/{id}"],
  "trunks.confirm": ["POST", "/api/v1/sip/trunks/{id}/networks/confirm"],
  "dids.list": ["GET", "/api/v1/sip/dids"],
  "dids.create": ["POST", "/api/v1/sip/dids"],
  "dids.show": ["GET", "/api/v1/sip/dids/{id}"],
  "dids.update": ["PUT", "/api/v1/sip/dids/{id}"],
  "dids.remove": ["DELETE", "/api/v1/sip/dids/{id}"],
  "dids.assign": ["POST", "/api/v1/sip/dids/{id}/assign"],
  "lines.list": ["GET", "/api/v1/sip/lines"],
  "lines.create": ["POST", "/api/v1/sip/lines"],
  "lines.show": ["GET", "/api/v1/sip/lines/{id}"],
  "lines.update": ["PUT", "/api/v1/sip/lines/{id}"],
  "lines.remove": ["DELETE", "/api/v1/sip/lines/{id}"],
  "ringGroups.list": ["GET", "/api/v1/sip/ring-groups"],
  "ringGroups.create": ["POST", "/api/v1/sip/ring-groups"],
  "ringGroups.show": ["GET", "/api/v1/sip/ring-groups/{id}"],
  "ringGroups.update": ["PUT", "/api/v1/sip/ring-groups/{id}"],
  "ringGroups.remove": ["DELETE", "/api/v1/sip/ring-groups/{id}"],
  "callFilters.list": ["GET", "/api/v1/sip/call-filters"],
  "callFilters.create": ["POST", "/api/v1/sip/call-filters"],
  "callFilters.show": ["GET", "/api/v1/sip/call-filters/{id}"],
  "callFilters.update": ["PUT", "/api/v1/sip/call-filters/{id}"],
  "callFilters.remove": ["DELETE", "/api/v1/sip/call-filters/{id}"],
  "ivrMenus.list": ["GET", "/api/v1/sip/ivr-menus"],
  "ivrMenus.create": ["POST", "/api/v1/sip/ivr-menus"],
  "ivrMenus.show": ["GET", "/api/v1/sip/ivr-menus/{id}"],
  "ivrMenus.update": ["PUT", "/api/v1/sip/ivr-menus/{id}"],
  "ivrMenus.remove": ["DELETE", "/api/v1/sip/ivr-menus/{id}"],
  "voicemailBoxes.list": ["GET", "/api/v1/sip/voicemail-boxes"],
  "voicemailBoxes.create": ["POST", "/api/v1/sip/voicemail-boxes"],
  "voicemailBoxes.show": ["GET", "/api/v1/sip/voicemail-boxes/{id}"],
  "voicemailBoxes.update": ["PUT", "/api/v1/sip/voicemail-boxes/{id}"],
  "voicemailBoxes.remove": ["DELETE", "/api/v1/sip/voicemail-boxes/{id}"],
  "voicemailBoxes.rotate": ["POST", "/api/v1/sip/voicemail-boxes/{id}/pin"],
  "voicemailBoxes.pin": ["GET", "/api/v1/sip/voicemail-boxes/{id}/pin"],
  "externalNumbers.list": ["GET", "/api/v1/sip/external-numbers"],
  "externalNumbers.create": ["POST", "/api/v1/sip/external-numbers"],
  "externalNumbers.show": ["GET", "/api/v1/sip/external-numbers/{id}"],
  "externalNumbers.update": ["PUT", "/api/v1/sip/external-numbers/{id}"],
  "externalNumbers.remove": ["DELETE", "/api/v1/sip/external-numbers/{id}"],
  "sipDomains.list": ["GET", "/api/v1/sip/domains"],
  "sipDomains.show": ["GET", "/api/v1/sip/domains/{id}"],
  "sipDomains.checkOwnership": ["POST", "/api/v1/sip/domains/{id}/ownership/check"],
  "sipDomains.assert": ["POST", "/api/v1/sip/domains/{id}/assert"],
  "customers.list": ["GET", "/api/v1/crm/customers"],
  "customers.create": ["POST", "/api/v1/crm/customers"],
  "customers.imported": ["POST", "/api/v1/crm/customers/imports"],
  "customers.progress": ["GET", "/api/v1/crm/customers/imports/{id}"],
  "customers.show": ["GET", "/api/v1/crm/customers/{id}"],
  "customers.update": ["PUT", "/api/v1/crm/customers/{id}"],
  "customers.remove": ["DELETE", "/api/v1/crm/customers/{id}"],
  "routeTest.test": ["POST", "/api/v1/sip/route-test"],
  "calls.list": ["GET", "/api/v1/sip/calls"],
  "calls.show": ["GET", "/api/v1/sip/calls/{id}"],
  "dnsDomains.list": ["GET", "/api/v1/domains"],
  "dnsDomains.create": ["POST", "/api/v1/domains"],
  "dnsDomains.show": ["GET", "/api/v1/domains/{id}"],
  "dnsDomains.update": ["PUT", "/api/v1/domains/{id}"],
  "dnsDomains.remove": ["DELETE", "/api/v1/domains/{id}"],
  "dnsDomains.checkOwnership": ["POST", "/api/v1/domains/{id}/ownership/check"],
  "dnsDomains.assert": ["POST", "/api/v1/domains/{id}/assert"],
  "records.list": ["GET", "/api/v1/domains/{id}/records"],
  "records.create": ["POST", "/api/v1/domains/{id}/records"],
  "records.show": ["GET", "/api/v1/domains/{id}/records/{record_id}"],
  "records.update": ["PUT", "/api/v1/domains/{id}/records/{record_id}"],
  "records.remove": ["DELETE", "/api/v1/domains/{id}/records/{record_id}"],
  "checks.instructions": ["GET", "/api/v1/domains/{id}/dns-instructions"],
  "checks.check": ["GET", "/api/v1/domains/{id}/check"],
  "checks.verify": ["POST", "/api/v1/domains/{id}/verify"],
  "providers.list": ["GET", "/api/v1/dns-providers"],
  "providers.create": ["POST", "/api/v1/dns-providers"],
  "providers.types": ["GET", "/api/v1/dns-providers/types"],
  "providers.show": ["GET", "/api/v1/dns-providers/{id}"],
  "providers.update": ["PUT", "/api/v1/dns-providers/{id}"],
  "providers.remove": ["DELETE", "/api/v1/dns-providers/{id}"],
  "providers.test": ["POST", "/api/v1/dns-providers/{id}/test"],
  "providers.zones": ["GET", "/api/v1/dns-providers/{id}/zones"],
  "plans.create": ["POST", "/api/v1/domains/{id}/plan"],
  "plans.list": ["GET", "/api/v1/domains/{id}/plans"],
  "plans.show": ["GET", "/api/v1/domains/{id}/plans/{plan_id}"],
  "plans.apply": ["POST", "/api/v1/domains/{id}/plans/{plan_id}/apply"],
  "plans.discard": ["POST", "/api/v1/domains/{id}/plans/{plan_id}/discard"],
  "i18nAdmin.statistics": ["GET", "/api/v1/i18n/admin/statistics"],
  "i18nAdmin.addLanguage": ["POST", "/api/v1/i18n/admin/languages"],
  "i18nAdmin.renameLanguage": ["PUT", "/api/v1/i18n/admin/languages/{locale}"],
  "i18nAdmin.removeLanguage": ["DELETE", "/api/v1/i18n/admin/languages/{locale}"],
  "i18nAdmin.forget": ["POST", "/api/v1/i18n/admin/languages/{locale}/forget"],
  "i18nAdmin.texts": ["GET", "/api/v1/i18n/admin/translations/{locale}"],
  "i18nAdmin.put": ["PUT", "/api/v1/i18n/admin/translations/{locale}/{key}"],
  "i18nAdmin.revert": ["DELETE", "/api/v1/i18n/admin/translations/{locale}/{key}"],
  "i18nAdmin.history": ["GET", "/api/v1/i18n/admin/translations/{locale}/{key}/history"],
  "i18n.languages": ["GET", "/api/v1/i18n/languages"],
  "i18n.bundle": ["GET", "/api/v1/i18n/bundles/{locale}"],
  "i18n.text": ["GET", "/api/v1/i18n/texts/{locale}/{key}"],
  "i18nRebuilds.start": ["POST", "/api/v1/i18n/admin/rebuilds"],
  "i18nRebuilds.list": ["GET", "/api/v1/i18n/admin/rebuilds"],
  "i18nRebuilds.show": ["GET", "/api/v1/i18n/admin/rebuilds/{id}"],
  "i18nRebuilds.cancel": ["POST", "/api/v1/i18n/admin/rebuilds/{id}/cancel"],
  "i18nFiles.exported": ["GET", "/api/v1/i18n/admin/files/{locale}"],
  "i18nFiles.importCsv": ["POST", "/api/v1/i18n/admin/files/{locale}/csv"],
  "i18nFiles.importXliff": ["POST", "/api/v1/i18n/admin/files/{locale}/xliff"],
  "bankAccounts.list": ["GET", "/api/v1/crm/ebics/accounts"],
  "bankAccounts.create": ["POST", "/api/v1/crm/ebics/accounts"],
  "bankAccounts.show": ["GET", "/api/v1/crm/ebics/accounts/{uuid}"],
  "bankAccounts.update": ["PUT", "/api/v1/crm/ebics/accounts/{uuid}"],
  "bankAccounts.deactivate": ["DELETE", "/api/v1/crm/ebics/accounts/{uuid}"],
  "bankAccounts.reactivate": ["POST", "/api/v1/crm/ebics/accounts/{uuid}/reactivate"],
  "bankAccounts.permissions": ["POST", "/api/v1/crm/ebics/accounts/{uuid}/permissions"],
  "bankKeys.status": ["GET", "/api/v1/crm/ebics/accounts/{uuid}/keys/status"],
  "bankKeys.init": ["POST", "/api/v1/crm/ebics/accounts/{uuid}/keys/init"],
  "bankKeys.ini": ["POST", "/api/v1/crm/ebics/accounts/{uuid}/keys/ini"],
  "bankKeys.hia": ["POST", "/api/v1/crm/ebics/accounts/{uuid}/keys/hia"],
  "bankKeys.activate": ["POST", "/api/v1/crm/ebics/accounts/{uuid}/keys/activate"],
  "bankKeys.letter": ["GET", "/api/v1/crm/ebics/accounts/{uuid}/keys/ini-letter"],
  "bankKeys.acceptBank": ["POST", "/api/v1/crm/ebics/accounts/{uuid}/keys/bank/accept"],
  "bankKeys.refreshBank": ["POST", "/api/v1/crm/ebics/accounts/{uuid}/keys/bank/refresh"],
  "bankKeys.suspend": ["POST", "/api/v1/crm/ebics/accounts/{uuid}/keys/suspend"],
  "bankKeys.resume": ["POST", "/api/v1/crm/ebics/accounts/{uuid}/keys/resume"],
  "bankKeys.reset": ["POST", "/api/v1/crm/ebics/accounts/{uuid}/keys/reset"],
  "bankKeys.unlock": ["POST", "/api/v1/crm/ebics/accounts/{uuid}/keys/unlock"],
  "fetches.request": ["POST", "/api/v1/crm/ebics/accounts/{uuid}/fetch"],
  "fetches.list": ["GET", "/api/v1/crm/ebics/fetches"],
  "fetches.show": ["GET", "/api/v1/crm/ebics/fetches/{uuid}"],
  "bankStatements.list": ["GET", "/api/v1/crm/ebics/statements"],
  "bankStatements.imported": ["POST", "/api/v1/crm/ebics/statements/import"],
  "bankStatements.show": ["GET", "/api/v1/crm/ebics/statements/{uuid}"],
  "bankStatements.raw": ["GET", "/api/v1/crm/ebics/statements/{uuid}/raw"],
  "bankStatements.files": ["GET", "/api/v1/crm/ebics/files"],
  "bankStatements.file": ["GET", "/api/v1/crm/ebics/files/{uuid}"],
  "bankStatements.fileRaw": ["GET", "/api/v1/crm/ebics/files/{uuid}/raw"],
  "bankStatements.parse": ["POST", "/api/v1/crm/ebics/files/{uuid}/parse"],
  "bankTransactions.list": ["GET", "/api/v1/crm/ebics/transactions"],
  "bankTransactions.exported": ["GET", "/api/v1/crm/ebics/transactions/export"],
  "bankTransactions.show": ["GET", "/api/v1/crm/ebics/transactions/{uuid}"],
  "bankCustomers.list": ["GET", "/api/v1/crm/ebics/customers"],
  "bankCustomers.show": ["GET", "/api/v1/crm/ebics/customers/{customer_id}/ibans"],
  "bankCustomers.replace": ["PUT", "/api/v1/crm/ebics/customers/{customer_id}/ibans"],
  "bankCustomers.add": ["POST", "/api/v1/crm/ebics/customers/{customer_id}/ibans"],
  "bankCustomers.clear": ["DELETE", "/api/v1/crm/ebics/customers/{customer_id}/ibans"],
  "invoices.list": ["GET", "/api/v1/crm/invoices"],
  "invoices.create": ["POST", "/api/v1/crm/invoices"],
  "invoices.imported": ["POST", "/api/v1/crm/invoices/imports"],
  "invoices.progress": ["GET", "/api/v1/crm/invoices/imports/{uuid}"],
  "invoices.put": ["PUT", "/api/v1/crm/invoices/external/{external_id}"],
  "invoices.show": ["GET", "/api/v1/crm/invoices/{uuid}"],
  "invoices.replace": ["PUT", "/api/v1/crm/invoices/{uuid}"],
  "invoices.change": ["PATCH", "/api/v1/crm/invoices/{uuid}"],
  "invoices.remove": ["DELETE", "/api/v1/crm/invoices/{uuid}"],
  "invoices.cancel": ["POST", "/api/v1/crm/invoices/{uuid}/cancel"],
  "payments.list": ["GET", "/api/v1/crm/payments"],
  "payments.create": ["POST", "/api/v1/crm/payments"],
  "payments.imported": ["POST", "/api/v1/crm/payments/imports"],
  "payments.progress": ["GET", "/api/v1/crm/payments/imports/{uuid}"],
  "payments.put": ["PUT", "/api/v1/crm/payments/external/{external_id}"],
  "payments.show": ["GET", "/api/v1/crm/payments/{uuid}"],
  "payments.undo": ["POST", "/api/v1/crm/payments/{uuid}/undo"],
  "reconciliation.suggestions": ["GET", "/api/v1/crm/ebics/transactions/{uuid}/suggestions"],
  "reconciliation.reconcile": ["POST", "/api/v1/crm/ebics/transactions/{uuid}/reconcile"],
  "reconciliation.ignore": ["POST", "/api/v1/crm/ebics/transactions/{uuid}/ignore"],
  "reconciliation.undo": ["POST", "/api/v1/crm/ebics/transactions/{uuid}/undo"],
  "reconciliation.startBatch": ["POST", "/api/v1/crm/ebics/reconcile/batch"],
  "reconciliation.batches": ["GET", "/api/v1/crm/ebics/reconcile/batches"],
  "reconciliation.batch": ["GET", "/api/v1/crm/ebics/reconcile/batches/{uuid}"],
  "reconciliation.dashboard": ["GET", "/api/v1/crm/ebics/dashboard"],
  "paymentWebhooks.receive": ["POST", "/api/v1/payments/webhooks/{provider}"],
  "paymentWebhookEvents.list": ["GET", "/api/v1/payments/webhook-events"],
  "paymentWebhookEvents.show": ["GET", "/api/v1/payments/webhook-events/{uuid}"],
  "provisioningCatalog.services": ["GET", "/api/v1/provisioning/services"],
  "provisioningCatalog.addService": ["POST", "/api/v1/provisioning/services"],
  "provisioningCatalog.changeService": ["PUT", "/api/v1/provisioning/services/{slug}"],
  "provisioningCatalog.removeService": ["DELETE", "/api/v1/provisioning/services/{slug}"],
  "provisioningCatalog.packages": ["GET", "/api/v1/provisioning/packages"],
  "provisioningCatalog.addPackage": ["POST", "/api/v1/provisioning/packages"],
  "provisioningCatalog.removePackage": ["DELETE", "/api/v1/provisioning/packages/{id}"],
  "provisioningCatalog.mappings": ["GET", "/api/v1/provisioning/mappings"],
  "provisioningCatalog.addMapping": ["POST", "/api/v1/provisioning/mappings"],
  "provisioningCatalog.removeMapping": ["DELETE", "/api/v1/provisioning/mappings/{id}"],
  "provisioningBookings.show": ["GET", "/api/v1/provisioning/bookings"],
  "provisioningBookings.setPlan": ["PUT", "/api/v1/provisioning/plan"],
  "provisioningBookings.setModule": ["PUT", "/api/v1/provisioning/modules/{slug}"],
  "provisioningBookings.removeModule": ["DELETE", "/api/v1/provisioning/modules/{slug}"],
  "provisioningBookings.subscribe": ["POST", "/api/v1/provisioning/subscriptions"],
  "provisioningBookings.setSubscription": ["PUT", "/api/v1/provisioning/subscriptions/{id}"],
  "provisioningBookings.unsubscribe": ["DELETE", "/api/v1/provisioning/subscriptions/{id}"],
  "provisioningBookings.setAddon": ["PUT", "/api/v1/provisioning/addons/{slug}"],
  "provisioningBookings.removeAddon": ["DELETE", "/api/v1/provisioning/addons/{slug}"],
  "clientTokens.create": ["POST", "/api/v1/provisioning/client-tokens"],
  "clientTokens.list": ["GET", "/api/v1/provisioning/client-tokens"],
  "clientTokens.revoke": ["DELETE", "/api/v1/provisioning/client-tokens/{id}"],
  "provisioningLinkMail.send": ["POST", "/api/v1/provisioning/client-tokens/{id}/mail"],
  "provisioningDevices.list": ["GET", "/api/v1/provisioning/devices"],
  "provisioningDevices.show": ["GET", "/api/v1/provisioning/devices/{id}"],
  "provisioningDevices.revoke": ["DELETE", "/api/v1/provisioning/devices/{id}"],
  "provisioningDevicePages.profile": ["POST", "/provision/profile/device.mobileconfig"],
  "provisioningDevicePages.phoneFile": ["GET", "/provision/phone/{secret}/{file}"],
  "provisioningRetrieval.retrieve": ["GET", "/provision/{token}"],
  "provisioningRetrieval.retrieveByButton": ["POST", "/provision/{token}"],
  "provisioningServices.mine": ["GET", "/api/v1/provisioning/my-services"],
  "wakeword.status": ["GET", "/api/v1/wakeword/status"],
  "wakeword.activeModel": ["GET", "/api/v1/wakeword/active/model"],
  "wakeword.activeEmbedding": ["GET", "/api/v1/wakeword/active/embedding"],
  "wakeword.activeMel": ["GET", "/api/v1/wakeword/active/mel"],
  "wakewordModels.list": ["GET", "/api/v1/wakeword/models"],
  "wakewordModels.show": ["GET", "/api/v1/wakeword/models/{name}"],
  "wakewordModels.remove": ["DELETE", "/api/v1/wakeword/models/{name}"],
  "wakewordModels.file": ["GET", "/api/v1/wakeword/models/{name}/file"],
  "wakewordModels.activate": ["POST", "/api/v1/wakeword/models/{name}/activate"],
  "wakewordModels.deactivate": ["POST", "/api/v1/wakeword/models/{name}/deactivate"],
  "wakewordSamples.upload": ["POST", "/api/v1/wakeword/samples/upload"],
  "wakewordSamples.list": ["GET", "/api/v1/wakeword/samples"],
  "wakewordSamples.ofWord": ["GET", "/api/v1/wakeword/samples/{word}"],
  "wakewordSamples.removeWord": ["DELETE", "/api/v1/wakeword/samples/{word}"],
  "wakewordSamples.audio": ["GET", "/api/v1/wakeword/samples/{word}/{id}/audio"],
  "wakewordSamples.remove": ["DELETE", "/api/v1/wakeword/samples/{word}/{id}"],
  "wakewordTraining.train": ["POST", "/api/v1/wakeword/train"],
  "wakewordTraining.list": ["GET", "/api/v1/wakeword/training"],
  "wakewordTraining.show": ["GET", "/api/v1/wakeword/training/{job_id}"],
  "wakewordTraining.cancel": ["POST", "/api/v1/wakeword/training/{job_id}/cancel"],
  "wakewordTraining.languages": ["GET", "/api/v1/wakeword/languages"],
  "monitoringAlerts.list": ["GET", "/api/v1/monitoring/alerts"],
  "monitoringAlerts.show": ["GET", "/api/v1/monitoring/alerts/{id}"],
  "monitoringAlerts.acknowledge": ["POST", "/api/v1/monitoring/alerts/{id}/acknowledge"],
  "monitoringAlerts.test": ["POST", "/api/v1/monitoring/alerts/test"],
  "monitoringAlerts.message": ["GET", "/api/v1/monitoring/alert-messages/{id}"],
  "monitoringAlerts.rules": ["GET", "/api/v1/monitoring/alert-rules"],
  "monitoringAlerts.setRules": ["PUT", "/api/v1/monitoring/alert-rules"],
  "monitoringSilences.list": ["GET", "/api/v1/monitoring/silences"],
  "monitoringSilences.create": ["POST", "/api/v1/monitoring/silences"],
  "monitoringSilences.show": ["GET", "/api/v1/monitoring/silences/{id}"],
  "monitoringSilences.edit": ["PUT", "/api/v1/monitoring/silences/{id}"],
  "monitoringSilences.end": ["DELETE", "/api/v1/monitoring/silences/{id}"],
  "monitoringHeartbeats.list": ["GET", "/api/v1/monitoring/heartbeats"],
  "monitoringHeartbeats.beat": ["POST", "/api/v1/monitoring/heartbeats/{name}"],
  "monitoringHeartbeats.forget": ["DELETE", "/api/v1/monitoring/heartbeats/{name}"],
  "systemServices.list": ["GET", "/api/v1/system/services"],
  "systemServices.show": ["GET", "/api/v1/system/services/{name}"],
  "systemServices.restart": ["POST", "/api/v1/system/services/{name}/restart"],
  "systemServices.logs": ["GET", "/api/v1/system/services/{name}/logs"],
  "systemServices.follow": ["GET", "/api/v1/system/services/{name}/logs/follow"],
  "backups.list": ["GET", "/api/v1/backups"],
  "backups.schedules": ["GET", "/api/v1/backups/schedules"],
  "backups.addSchedule": ["POST", "/api/v1/backups/schedules"],
  "backups.jobs": ["GET", "/api/v1/backups/jobs"],
  "backups.job": ["GET", "/api/v1/backups/jobs/{uuid}"],
  "backups.retention": ["GET", "/api/v1/backups/retention"],
  "backups.changeSchedule": ["PUT", "/api/v1/backups/schedules/{id}"],
  "backups.removeSchedule": ["DELETE", "/api/v1/backups/schedules/{id}"],
  "backups.trigger": ["POST", "/api/v1/backups/trigger/{schedule_id}"],
  "backups.drill": ["POST", "/api/v1/backups/drill"],
  "security.decisions": ["GET", "/api/v1/security/decisions"],
  "security.ban": ["POST", "/api/v1/security/decisions"],
  "security.lift": ["DELETE", "/api/v1/security/decisions/{id}"],
  "security.alerts": ["GET", "/api/v1/security/alerts"],
  "security.summary": ["GET", "/api/v1/security/summary"],
  "security.exemptions": ["GET", "/api/v1/security/exemptions"],
  "security.exempt": ["POST", "/api/v1/security/exemptions"],
  "security.endExemption": ["DELETE", "/api/v1/security/exemptions/{id}"],
  "monitoringChecks.list": ["GET", "/api/v1/monitoring/checks"],
  "monitoringChecks.add": ["POST", "/api/v1/monitoring/checks"],
  "monitoringChecks.show": ["GET", "/api/v1/monitoring/checks/{id}"],
  "monitoringChecks.change": ["PUT", "/api/v1/monitoring/checks/{id}"],
  "monitoringChecks.remove": ["DELETE", "/api/v1/monitoring/checks/{id}"],
  "monitoringChecks.run": ["POST", "/api/v1/monitoring/checks/{id}/run"]
}
