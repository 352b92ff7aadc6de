/**
 * Configuration of Kamailio in the role of the switch. It asks sip-config who may register and which phones a call
 * rings. Pure.
 */

export interface KamailioPlace {
  readonly folder: string
  readonly udpPort: number
  readonly tlsPort: number
  /** Port for SIP over TCP, SIP over WebSocket and JSON-RPC. */
  readonly tcpPort: number
  readonly certificate: string
  readonly key: string
  /** Address of sip-config's switch endpoint, `http://…/switch/xml`. */
  readonly xmlUrl: string
  /** Service token of scope `switch`. */
  readonly token: string
  /** Answer to a wrong password: 401 with a new challenge, as in Kamailio, or 403, as in FreeSWITCH. */
  readonly wrongPassword: 401 | 403
}

const modules = [
  "tls",
  "tm",
  "tmx",
  "sl",
  "rr",
  "pv",
  "maxfwd",
  "textops",
  "siputils",
  "usrloc",
  "registrar",
  "nathelper",
  "auth",
  "http_client",
  "xmlops",
  "xhttp",
  "websocket",
  "jsonrpcs",
  "xlog",
  "kex",
  "corex"
]

/** A value of the message, form-encoded like the switch does. */
const escaped = (name: string): string => `$(${name}{s.escape.param})`

/** Form body as a Kamailio expression, because Kamailio does not interpolate values in strings. */
const form = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => (value.startsWith("$") ? `"&${name}=" + ${value}` : `"&${name}=${value}"`))
    .join(" + ")

export const kamailioConfig = (place: KamailioPlace): string => `#!KAMAILIO
debug=1
log_stderror=yes
# One for UDP: with two a 200 overtakes the 180 before it, which sipp does not take.
children=1
tcp_children=2
enable_tls=yes
dns_try_ipv6=no
auto_aliases=no
listen=udp:127.0.0.1:${place.udpPort}
listen=tcp:127.0.0.1:${place.tcpPort}
listen=tls:127.0.0.1:${place.tlsPort}
tcp_accept_no_cl=yes
# A phone is reached by its own connection and by no other.
tcp_no_connect=yes
tcp_connection_lifetime=3604
http_reply_parse=yes
${modules.map((name) => `loadmodule "${name}.so"`).join("\n")}
modparam("tls", "private_key", "${place.key}")
modparam("tls", "certificate", "${place.certificate}")
modparam("tls", "tls_method", "TLSv1.2+")
modparam("usrloc", "db_mode", 0)
modparam("usrloc", "use_domain", 1)
modparam("registrar", "received_avp", "$avp(received)")
modparam("nathelper", "received_avp", "$avp(received)")
modparam("registrar", "min_expires", 1)
modparam("registrar", "max_contacts", 10)
modparam("tm", "fr_timer", 15000)
modparam("tm", "fr_inv_timer", 30000)
modparam("rr", "enable_full_lr", 1)
modparam("http_client", "connection_timeout", 5)
modparam("http_client", "query_result", 0)
modparam("jsonrpcs", "transport", 1)
modparam("websocket", "keepalive_mechanism", 0)

request_route {
  if (!mf_process_maxfwd_header("10")) { sl_send_reply("483", "Too Many Hops"); exit; }
  force_rport();
  if (is_method("CANCEL")) {
    if (t_check_trans()) t_relay();
    exit;
  }
  if (is_method("OPTIONS")) { sl_send_reply("200", "OK"); exit; }
  # Within a call: along the way that Record-Route made. To a client that cannot be connected to, by its own connection.
  if (has_totag()) {
    if (is_method("INVITE|UPDATE")) add_contact_alias();
    if (!loose_route() && !(is_method("ACK") && t_check_trans())) {
      if (!is_method("ACK")) sl_send_reply("404", "Not here");
      exit;
    }
    handle_ruri_alias();
    if (!is_method("ACK")) record_route();
    t_on_reply("ANSWER");
    t_relay();
    exit;
  }
  if (is_method("ACK")) { t_check_trans(); exit; }
  if (is_method("REGISTER")) { route(REGISTER); exit; }
  if (is_method("INVITE|MESSAGE")) { route(CALL); exit; }
  sl_send_reply("405", "Method Not Allowed");
}

# Asks as mod_xml_curl does; the answer is $xml(found=>...). A switch that is not answered lets nobody in.
route[LOOKUP] {
  $var(doc) = $null;
  $var(rc) = http_client_query("${place.xmlUrl}", "hostname=kamailio$var(asked)", "Content-Type: application/x-www-form-urlencoded\\r\\nAuthorization: Basic ${Buffer.from(
    `switch:${place.token}`
  ).toString("base64")}", "$var(doc)");
  if ($var(rc) != 200) {
    xlog("L_ERR", "sip-config answered $var(rc)\\n");
    return -1;
  }
  $xml(found=>doc) = $var(doc);
  return 1;
}

# $var(a1) is the a1-hash of $au in $var(domain); empty: nobody.
route[CREDENTIALS] {
  $var(a1) = "";
  $var(context) = "";
  $var(asked) = ${form({
    section: "directory",
    tag_name: "domain",
    key_name: "name",
    key_value: "$var(domain)",
    "Event-Name": "REQUEST_PARAMS",
    action: "sip_auth",
    sip_profile: "internal",
    sip_auth_username: escaped("au"),
    sip_auth_realm: escaped("ar"),
    sip_auth_method: "$rm",
    key: "id",
    user: escaped("au"),
    domain: "$var(domain)",
    ip: "$si"
  })};
  if (!route(LOOKUP)) return;
  $var(a1) = $xml(found=>xpath://user/params/param[@name='a1-hash']/@value);
  $var(context) = $xml(found=>xpath://user/variables/variable[@name='user_context']/@value);
}

route[REGISTER] {
  if (!is_present_hf("Authorization")) { www_challenge("$td", "1"); exit; }
  $var(domain) = $td;
  route(CREDENTIALS);
  if (!($var(a1) =~ "^[0-9a-f]+$") || $au != $tU) { sl_send_reply("403", "Forbidden"); exit; }
  if (!pv_www_authenticate("$td", "$var(a1)", "1")) {
    ${place.wrongPassword === 403 ? `if ($rc == -2) { sl_send_reply("403", "Forbidden"); exit; }` : ""}
    www_challenge("$td", "1");
    exit;
  }
  consume_credentials();
  append_to_reply("X-Switch-Saw: $hdr(Via)\\r\\n");
  fix_nated_register();
  if (!save("location")) sl_reply_error();
}

route[CALL] {
  if (!is_present_hf("Proxy-Authorization")) { proxy_challenge("$fd", "1"); exit; }
  $var(domain) = $fd;
  route(CREDENTIALS);
  if (!($var(a1) =~ "^[0-9a-f]+$") || $au != $fU) { sl_send_reply("403", "Forbidden"); exit; }
  if (!pv_proxy_authenticate("$fd", "$var(a1)", "1")) { proxy_challenge("$fd", "1"); exit; }
  consume_credentials();
  $var(asked) = ${form({
    section: "dialplan",
    tag_name: "",
    key_name: "",
    key_value: "",
    "Event-Name": "REQUEST_PARAMS",
    "Hunt-Direction": "inbound",
    "Hunt-Dialplan": "XML",
    "Hunt-Caller-ID-Number": escaped("fU"),
    "Hunt-Network-Addr": "$si",
    "Hunt-Destination-Number": escaped("rU"),
    "Hunt-Context": "$var(context)",
    variable_user_name: escaped("fU"),
    variable_domain_name: "$fd"
  })};
  if (!route(LOOKUP)) { sl_send_reply("404", "Not Found"); exit; }
  $var(respond) = $xml(found=>xpath://action[@application='respond']/@data);
  if ($var(respond) =~ "^[0-9]") {
    $var(status) = $(var(respond){s.substr,0,3}{s.int});
    sl_send_reply("$var(status)", "$(var(respond){s.substr,4,0})");
    exit;
  }
  # Who is rung together stands with commas between.
  $var(bridge) = $xml(found=>xpath://action[@application='bridge']/@data);
  $var(at) = 0;
  $var(one) = $(var(bridge){s.select,0,,});
  while ($var(one) =~ "user/") {
    $var(uri) = "sip:" + $(var(one){re.subst,#^.*user/##});
    if ($var(at) == 0) $ru = $var(uri);
    else append_branch("$var(uri)");
    $var(at) = $var(at) + 1;
    $var(one) = $(var(bridge){s.select,$var(at),,});
  }
  if ($var(at) == 0) { sl_send_reply("501", "No bridge"); exit; }
  if (!lookup_branches("location")) { sl_send_reply("480", "Not registered"); exit; }
  if (is_method("INVITE")) record_route();
  add_contact_alias();
  t_on_reply("ANSWER");
  if (!t_relay()) sl_reply_error();
}

onreply_route[ANSWER] {
  add_contact_alias();
}

event_route[xhttp:request] {
  if ($hu =~ "^/RPC") { jsonrpc_dispatch(); exit; }
  if ($hdr(Upgrade) =~ "websocket") { ws_handle_handshake(); exit; }
  xhttp_reply("404", "Not Found", "", "");
}
`
