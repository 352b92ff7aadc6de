-- Tells us that there is news in a mailbox: one request after each change, whatever it was of. Read by Dovecot's processes as the mailbox's
-- owner, so it holds no secret: that stands in 97-signalbox-push.conf. Needs nothing beside dovecot-core.

-- How long Dovecot waits for us. Unit: milliseconds. A delivery waits as long, with its mail in the mailbox already.
local patience = 2000

local client

local function tell(user)
  client = client or dovecot.http.client({ request_absolute_timeout_msecs = patience, max_attempts = 1, no_auto_retry = true })
  local address = user.username:gsub("[^%w@._-]", function(char) return string.format("%%%02X", char:byte()) end)
  local request = client:request({ url = user:plugin_getenv("signalbox_push_url") .. "/" .. address, method = "POST" })
  request:add_header("x-service-token", user:plugin_getenv("signalbox_push_token"))
  local status = request:submit():status()
  -- 404: the mailbox is not watched.
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
  -- Whatever fails here, the mail is delivered; a look once a minute finds it.
  local told, problem = pcall(tell, txn.user)
  if not told then dovecot.i_warning("signalbox push: " .. tostring(problem)) end
end
