/**
 * The forms of keys, as data: how the tokens of each service look. A form is a fact of its service; most were learned from
 * the documentation of gitleaks (MIT) and of the services. To add one, add a line; its marks find where to look, so the time
 * that a text takes hardly grows with the number of lines.
 */

/**
 * Tokens that carry a mark of their own, as in upper and lower case. Columns, two blanks apart: family; marks; what follows
 * the mark; the least entropy of the token in bits for each character (0: any); what stands before the mark.
 */
export const MARKED_FORMS = String.raw`
adobe  p8e-  [A-Za-z0-9]{32}  2
adyen  AQE  [A-Za-z0-9]{5,}\.[\w=-]{50,80}  2
age  AGE-SECRET-KEY-1  [A-Z0-9]{58}
airtable  pat  [A-Za-z0-9]{14}\.[a-f0-9]{64}
alibaba  LTAI  [A-Za-z0-9]{20}  2
anthropic  sk-ant-  [\w-]{20,}
anthropic  sk-ant-sid  \d\d-[\w-]{20,}
artifactory  AKCp cmVmd  [A-Za-z0-9]{59,}  3.5
atlassian  ATATT3  [\w=-]{180,}
authress  sc_ ext_ scauth_ authress_  [A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][A-Za-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,120}  2
aws  A3T AKIA ASIA ABIA ACCA AGPA AIDA AROA AIPA ANPA ANVA  [A-Z0-9]{16,17}  2.5
aws  ABSK  [A-Za-z0-9+/]{100,}={0,2}
aws  amzn.mws.  [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}
azure  Q~  [\w~.-]{31,34}  3  [\w~.]{3}\d
azure  AccountKey= SharedAccessKey= SharedSecretKey=  [A-Za-z0-9+/]{40,}={0,2}
azure  IR@  [0-9A-Za-z-]{36}@[^\s@]{1,80}@[0-9A-Za-z=-]{1,40}@[A-Za-z0-9+/]{43}=  3
azure  sig=  [A-Za-z0-9%+/]{40,}={0,2}  3.5
azure  code=  [\w-]{50,}(?:==|%3[Dd]%3[Dd])  3.5
braintree  access_token$production$ access_token$sandbox$  [a-z0-9]{16}(?:\$[a-f0-9]{32})?  2
braintree  sandbox_ production_  [a-z0-9]{8}_[a-z0-9]{16}  3
buildkite  bkua_  [a-f0-9]{40}
castai  castai_v1_  [A-Za-z0-9]{64}_[A-Za-z0-9]{8}  2
chieftools  ctp_ cto_ ctr_  [A-Za-z0-9]{30,}  2
circleci  CCIPAT_ CCIPRJ_  [A-Za-z0-9]{22}_[a-f0-9]{40}
clickhouse  4b1d  [A-Za-z0-9]{38}  3
clojars  CLOJARS_ clojars_  [A-Za-z0-9]{60}  2
cloudflare  v1.0-  [a-f0-9]{24}-[a-f0-9]{146}
cloudflare  cfut_ cfat_ cfk_  [A-Za-z0-9]{40,}
contentful  CFPAT-  [\w-]{43}
crates  cio  (?=[A-Za-z]{0,31}\d)[A-Za-z0-9]{32}  3.5
databricks  dapi  [A-Ha-h0-9]{32}(?:-\d)?  2.5
cookie  sessionid= session_id= JSESSIONID= PHPSESSID= connect.sid=  [\w.%+-]{20,}  3
definednetworking  dnkey-  [a-z0-9=_-]{26}-[a-z0-9=_-]{52}
digitalocean  doo_v1_ dop_v1_ dor_v1_  [a-f0-9]{40,}
docker  dckr_pat_ dckr_oat_  [\w-]{20,}
doppler  dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.  (?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}  2
dropbox  sl.  [\w-]{130,}  3
duffel  duffel_test_ duffel_live_  [\w=-]{43}  2
dynatrace  dt0c01. dt0s01.  [A-Za-z0-9]{24}\.[A-Za-z0-9]{64}  3
e2b  e2b_  [a-f0-9]{40}
easypost  EZAK EZTK  [A-Za-z0-9]{54}  2
facebook  EAAM EAAC  [A-Za-z0-9]{100,}  3
figma  figd_ figu_ figo_  [\w-]{30,}
firecrawl  fc-  [a-f0-9]{32}
fireworks  fw_  (?=[A-Za-z]{0,23}\d)[A-Za-z0-9]{24}  3
flutterwave  FLWSECK_TEST- FLWPUBK_TEST- FLWSECK- FLWPUBK-  [A-Za-h0-9]{12,}(?:-X)?  2
flyio  fo1_ fm1r_ fm1a_ fm2_  [\w+/-]{43,}={0,3}  3
frameio  fio-u-  [\w=-]{64}
github  ghp_ gho_ ghu_ ghs_ ghr_  \w{30,}  2
github  ghs_  \d{1,20}_[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}  3
github  github_pat_  \w{40,}  2
gitlab  glpat- gldt- glrt- glrtr- glptt- glft- glimt- glagent- gloas- glsoat- glffct- glwt- GR1348941  [\w-]{20,}(?:\.[\w.]{9,})?  2
gitlab  glcbt-  [A-Za-z0-9]{1,5}_[\w-]{20,}  2
gitlab  _gitlab_session=  [0-9a-z]{32}
gocardless  live_ sandbox_  [\w=-]{40}  3
google  AIza  [\w-]{35,}  2
google  ya29.  [\w-]{20,}
google  GOCSPX-  [\w-]{20,}
google  1//0  [\w-]{40,}  3.5
grafana  eyJrIjoi  [A-Za-z0-9+/]{60,}={0,3}
grafana  glc_  [A-Za-z0-9+/]{32,}={0,3}  2
grafana  glsa_  [A-Za-z0-9]{32}_[A-Fa-f0-9]{8}
groq  gsk_  [A-Za-z0-9]{40,}
harness  pat. sat.  [\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}
heroku  HRKU-  (?:AA[\w-]{58}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})
honeycomb  hcaik_ hcalk_ hcamk_ hcxik_ hcxlk_  [a-z0-9]{58}
hubspot  pat-na1- pat-na2- pat-eu1- pat-ap1-  [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}
huggingface  hf_ api_org_  [A-Za-z0-9]{30,}  2
infracost  ico-  [A-Za-z0-9]{32}  3
intra42  s-s4t2ud- s-s4t2af-  [a-f0-9]{64}
jina  jina_  [\w-]{50,}  3
jwt  ey  [A-Za-z0-9_-]{10,}\.ey[A-Za-z0-9_/\\-]{10,}\.(?:[A-Za-z0-9_/\\-]{10,}={0,2})?  3
jwt  ZXlK  [A-Za-z0-9+/_\\-]{50,}={0,2}  2
langfuse  sk-lf-  [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}
langsmith  lsv2_pt_ lsv2_sk_  [a-f0-9]{32}_[a-f0-9]{10}
launchdarkly  sdk- mob- api-  [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}
linear  lin_api_ lin_oauth_  [A-Za-z0-9_]{32,}  2
lob  live_ test_  [a-f0-9]{35}
lob  live_pub_ test_pub_  [a-f0-9]{31}
mailchimp  -us  \d{1,2}  2  [a-f0-9]{32}
mailgun  key- pubkey-  [a-f0-9]{32}  2
mapbox  pk. sk. tk.  [A-Za-z0-9_-]{60,}\.[A-Za-z0-9_-]{22}  3
maxmind  _mmk  (?!\w)  3.5  [A-Za-z0-9]{6}_[A-Za-z0-9]{29}
mollie  live_ test_  (?=[A-Za-z]{0,29}\d)[A-Za-z0-9]{30}  3
mongodb  mdb_sa_sk_  [\w-]{40}
newrelic  NRJS-  [a-f0-9]{19}
newrelic  NRII- NRAK-  [A-Za-z0-9-]{27,32}  2
newrelic  NRAL  (?!\w)  0  [a-f0-9]{36}
notion  ntn_  \d{11}[A-Za-z0-9]{35}
notion  secret_  [A-Za-z0-9]{43}  3.5
npm  npm_ NPM_  (?=\w{0,35}\d)\w{36,}  2
nuget  oy2  [a-z0-9]{43}  3
nvidia  nvapi-  [\w-]{60,}
octopus  API-  [A-Z0-9]{26}  3
onepassword  A3-  [A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}  3
onepassword  ops_ey  [A-Za-z0-9+/=]{100,}
openai  sk-proj- sk-svcacct- sk-admin- sk-service-  [\w-]{20,}
openai  sk-  [A-Za-z0-9]{20,}  2
openrouter  sk-or-v1- sk-or-  [A-Za-z0-9]{20,}
openshift  sha256~  [\w-]{43}  3
paddle  pdl_live_apikey_ pdl_sdbx_apikey_  01[a-z0-9]{24}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}
perplexity  pplx-  [A-Za-z0-9]{40,}  3
pinecone  pcsk_  [A-Za-z0-9]{4,7}_[A-Za-z0-9]{50,}
planetscale  pscale_tkn_ pscale_oauth_ pscale_pw_  [\w=.-]{32,64}  2.5
plaid  access-sandbox- access-development- access-production-  [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}
posthog  phx_  [A-Za-z0-9]{40,}  3
postman  PMAK-  [A-Fa-f0-9]{24}-[A-Fa-f0-9]{34}
prefect  pnu_ pnb_  [A-Za-z0-9]{36}  2
private-key  LS0tLS1CRUdJTiBQUklWQVRFIEtF LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBL LS0tLS1CRUdJTiBFQyBQUklWQVRFIEtF LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVEUgS0VZ LS0tLS1CRUdJTiBFTkNSWVBURUQgUFJJVkFURSBL LS0tLS1CRUdJTiBEU0EgUFJJVkFURSBL  [A-Za-z0-9+/]{100,}={0,2}
pulumi  pul-  [a-f0-9]{40}  2
pypi  pypi-AgEIcHlwaS5vcmc pypi-AgENdGVzdC5weXBpLm9yZw pypi-  [\w-]{50,}  2
readme  rdme_  [a-z0-9]{70}
render  rnd_  (?=[A-Za-z]{0,27}\d)[A-Za-z0-9]{28}  3
replicate  r8_  [A-Za-z0-9]{37}  2
resend  re_  [A-Za-z0-9]{8}_(?=[A-Za-z]{0,23}\d)[A-Za-z0-9]{24}  3
rubygems  rubygems_  [a-f0-9]{48}
salesforce  !AQ  [\w.]{60,}  3  00D[A-Za-z0-9]{12,15}
scalingo  tk-us-  [\w-]{48}  2
sendgrid  SG.  [\w=-]{16,}[.][\w=.-]{30,}  2
sendinblue  xkeysib- xsmtpsib-  [a-f0-9]{64}-[A-Za-z0-9]{16}
sentry  sntrys_  [\w+/=]{60,}
sentry  sntryu_  [a-f0-9]{64}
settlemint  sm_aat_ sm_pat_ sm_sat_  [A-Za-z0-9]{16}  2.5
shippo  shippo_live_ shippo_test_  [A-Fa-f0-9]{40}
shopify  shpat_ shpca_ shppa_ shpss_ shptka_  [A-Za-z0-9]{32,64}  2
slack  xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs-  [A-Za-z0-9%-]{8,}
slack  xoxe.xoxb- xoxe.xoxp-  \d-[A-Za-z0-9]{100,}
slack  xapp-  \d-[A-Za-z0-9-]{5,}
slack  hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/  [A-Za-z0-9+/_-]{20,}
sonar  sqp_ squ_ sqa_  [a-f0-9]{40}
discord  discord.com/api/webhooks/ discordapp.com/api/webhooks/  \d{17,20}/[\w-]{60,}
sourcegraph  sgp_  (?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}
square  sq0atp- sq0csp- EAAA  [\w-]{22,}  2
stripe  sk_test_ sk_live_ sk_prod_ rk_test_ rk_live_ rk_prod_ pk_live_ pk_test_ sk_org_live_  [A-Za-z0-9]{10,}
stripe  whsec_  [A-Za-z0-9+/=]{24,}
supabase  sbp_ sb_secret_  [\w-]{31,}  2
tailscale  tskey-  [a-z]{2,20}-\w{6,}(?:-\w{6,})?
tavily  tvly-  (?:dev-|prod-)?[A-Za-z0-9]{32}  3
teams  webhook.office.com/webhookb2/  [0-9a-z-]{36}@[0-9a-z-]{36}/IncomingWebhook/[0-9a-z]{32}/[0-9a-z-]{36}
telegram  :A  [\w-]{34}  3.5  (?:bot)?\d{5,16}
terraform  .atlasv1.  [\w=-]{60,70}  2  [A-Za-z0-9]{14}
twilio  SK AC  [0-9a-f]{32}  2.5
twilio  SK  [0-9A-Fa-f]{32}  2.5
typeform  tfp_  [\w.=-]{40,}  2
vault  hvs. hvb. hvr.  [\w-]{24,}  3
vault  s. b.  (?=[A-Za-z]{0,23}\d)[A-Za-z0-9]{24}  3
vercel  vcp_ vci_ vca_ vcr_ vck_  [A-Za-z0-9]{20,}
voyage  pa-  [\w-]{43}  4
xai  xai-  [A-Za-z0-9]{40,}
yandex  AQVN  [\w-]{35,38}  3
yandex  t1.  [\w-]+={0,2}\.[\w-]{86}={0,2}
yandex  YC  [\w-]{38}  3.5
`;

/**
 * Keys that nothing but the name of their service gives away, as in `TRAVIS_TOKEN=…`. Columns, two blanks apart: family;
 * names in lower case; forms of the value. Every value has a digit; `U` is a UUID.
 */
export const NAMED_FORMS = String.raw`
adafruit  adafruit  [a-z0-9_-]{32}
adobe  adobe  [a-f0-9]{32}
airtable  airtable  [a-z0-9]{17}
algolia  algolia  [a-z0-9]{32}
alibaba  alibaba  [a-z0-9]{30}
asana  asana  [0-9]{16} [a-z0-9]{32}
atlassian  atlassian confluence jira  [a-z0-9]{20}[a-f0-9]{4}
aws  aws_account awsaccount aws-account  \d{4}-?\d{4}-?\d{4}
aws  aws_secret awssecret aws-secret  [A-Za-z0-9/+=]{40}
azure  azure_devops devops_ext_pat  [a-z2-7]{52} [A-Za-z0-9]{84}
beamer  beamer  b_[a-z0-9=_-]{44}
bitbucket  bitbucket  [a-z0-9]{32} [a-z0-9=_-]{64}
bittrex  bittrex  [a-z0-9]{32}
cloudflare  cloudflare  [a-z0-9_-]{40} [a-f0-9]{37}
codecov  codecov  [a-z0-9]{32} U
cohere  cohere co_api_key  [a-z0-9]{40}
coinbase  coinbase  [a-z0-9_-]{64}
confluent  confluent  [a-z0-9]{16} [a-z0-9]{64}
contentful  contentful  [a-z0-9=_-]{43}
datadog  datadog dd_api_key dd_app_key  [a-z0-9]{40} [a-f0-9]{32}
discord  discord  [a-f0-9]{64} [0-9]{18} [a-z0-9=_-]{32}
droneci  droneci  [a-z0-9]{32}
dropbox  dropbox  [a-z0-9]{15} [a-z0-9]{11}A{10}[a-z0-9=_-]{43} sl\.[a-z0-9=_-]{135}
etsy  etsy  [a-z0-9]{24}
facebook  facebook  [a-f0-9]{32}
fastly  fastly  [a-z0-9=_-]{32}
finicity  finicity  [a-f0-9]{32} [a-z0-9]{20}
finnhub  finnhub  [a-z0-9]{20}
flickr  flickr  [a-z0-9]{32}
freshbooks  freshbooks  [a-z0-9]{64}
gitter  gitter  [a-z0-9_-]{40}
heroku  heroku  U
hubspot  hubspot  U
intercom  intercom  [a-z0-9=_-]{60}
jfrog  jfrog artifactory bintray xray  [a-z0-9]{73} [a-z0-9]{64}
kraken  kraken  [a-z0-9/=_+-]{80,90}
kucoin  kucoin  [a-f0-9]{24} U
launchdarkly  launchdarkly  [a-z0-9=_-]{40}
linear  linear  [a-f0-9]{32}
linkedin  linkedin linked_in linked-in  [a-z0-9]{14} [a-z0-9]{16}
looker  looker  [a-z0-9]{20} [a-z0-9]{24}
mailgun  mailgun  [a-h0-9]{32}-[a-h0-9]{8}-[a-h0-9]{8}
mattermost  mattermost  [a-z0-9]{26}
meraki  meraki  [0-9a-f]{40}
messagebird  messagebird message-bird message_bird  [a-z0-9]{25} U
netlify  netlify  [a-z0-9=_-]{40,46}
newrelic  new-relic newrelic new_relic  [a-z0-9]{64}
nytimes  nytimes new-york-times newyorktimes  [a-z0-9=_-]{32}
okta  okta  00[a-z0-9_=-]{40}
plaid  plaid  [a-z0-9]{24} [a-z0-9]{30}
privateai  privateai private_ai private-ai  [a-z0-9]{32}
rapidapi  rapidapi  [a-z0-9_-]{50}
sendbird  sendbird  U [a-f0-9]{40}
sentry  sentry  [a-f0-9]{64}
sidekiq  bundle_enterprise__contribsys__com bundle_gems__contribsys__com  [a-f0-9]{8}:[a-f0-9]{8}
snyk  snyk  U
sonar  sonar  [a-z0-9=_-]{40}
sourcegraph  sourcegraph  [a-f0-9]{40}
squarespace  squarespace  U
sumologic  sumo  su[a-z0-9]{12} [a-z0-9]{64}
travis  travis  [a-z0-9]{22}
twilio  twilio  [a-f0-9]{32}
twitch  twitch  [a-z0-9]{30}
twitter  twitter  [a-z0-9]{45} [0-9]{15,25}-[a-z0-9]{20,40} [a-z0-9]{25} [a-z0-9]{50} A{22}[a-z0-9%]{80,100}
zendesk  zendesk  [a-z0-9]{40}
`;
