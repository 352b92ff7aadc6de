-- Reports changes of a mailbox: one request after each transaction with a change. Dovecot's processes read this file as the mailbox's
-- owner, so it contains no secret; the secret is in 97-signalbox-push.conf. Needs only dovecot-core.

-- Longest wait of Dovecot for the answer. A delivery also waits; its mail is already in the mailbox.
local patience = "2s"

local client
local url
local token

function script_init(settings)
  url = settings.url
  token = settings.token
  return 0
end

local function tell(user)
  client = client or dovecot.http.client({ request_absolute_timeout = patience, request_max_attempts = 1, auto_retry = "no" })
  local address = user.username:gsub("[^%w@._-]", function(char) return string.format("%%%02X", char:byte()) end)
  local request = client:request({ url = url .. "/" .. address, method = "POST" })
  request:add_header("x-service-token", token)
  local status = request:submit():status()
  -- 404 means that the mailbox is not watched.
  if status ~= 204 and status ~= 404 then dovecot.i_warning("signalbox push: status " .. status) end
end

function dovecot_lua_notify_begin_txn(user)
  return { user = user, news = false }
end

local function news(txn)
  txn.news = true
end

dovecot_lua_notify_event_message_new = news
dovecot_lua_notify_event_message_append = news
dovecot_lua_notify_event_message_expunge = news
dovecot_lua_notify_event_flags_set = news
dovecot_lua_notify_event_flags_clear = news
dovecot_lua_notify_event_mailbox_create = news
dovecot_lua_notify_event_mailbox_delete = news
dovecot_lua_notify_event_mailbox_rename = news

function dovecot_lua_notify_end_txn(txn, success)
  if not (txn.news and success) then return end
  -- The mail is delivered even if this fails; the periodic scan of mail-watcher finds it.
  local told, problem = pcall(tell, txn.user)
  if not told then dovecot.i_warning("signalbox push: " .. tostring(problem)) end
end
