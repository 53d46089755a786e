/** Where Acuvity's answer holds the score of a guard, by the parameter that turns it on. */
export const acuvityScores = [
  { parameter: "prompt_injection", guard: "PROMPT_INJECTION", group: "exploits", name: "prompt_injection" },
  { parameter: "jail_break", guard: "JAILBREAK", group: "exploits", name: "jailbreak" },
  { parameter: "malicious_url", guard: "MALICIOUS_URL", group: "exploits", name: "malicious_url" },
  { parameter: "toxic", guard: "TOXIC", group: "malcontents", name: "toxic" },
  { parameter: "biased", guard: "BIASED", group: "malcontents", name: "biased" },
  { parameter: "harmful", guard: "HARMFUL", group: "malcontents", name: "harmful" },
] as const;

export const acuvityPersonal: readonly string[] = [
  ...["email_address", "ssn", "person", "aba_routing_number", "address", "bank_account", "bitcoin_wallet"],
  ...["credit_card", "driver_license", "itin_number", "location", "medical_license", "money_amount"],
  ...["passport_number", "phone_number"],
];

export const acuvitySecrets: readonly string[] = [
  ...["credentials", "adafruit", "alibaba", "anthropic", "apideck", "apify", "atlassian", "aws_secret_key"],
  ...["buildkite", "checkout", "clickuppersonal", "contentfulpersonalaccess", "database_url_with_credentials"],
  ...["databricks", "denodeploy", "dfuse", "digitalocean", "discord_webhook", "docker_hub", "doppler", "dropbox"],
  ...["endorlabs", "fleetbase", "flutterwave", "frameio", "freshdesk", "fullstory", "github", "gitlab"],
  ...["gocardless", "google_api", "grafana", "groq", "huggingface", "intra42", "jwt", "klaviyo", "launchdarkly"],
  ...["linearapi", "locationiq", "mailchimp", "mailgun", "mapbox", "maxmind", "microsoft_teams_webhook"],
  ...["nightfall", "notion", "npm", "openai", "pagarme", "paystack", "planetscale", "planetscaledb", "portainer"],
  ...["posthog", "postman", "prefect", "private_key", "pubnub_publish", "pubnub_subscribe", "pulumi", "ramp"],
  ...["razorpay", "readme", "rechargepayments", "replicate", "rubygems", "salesforce", "sendgrid", "sendinblue"],
  ...["shopify", "slack_access", "slack_bot", "slack_refresh", "slack_user", "slack_webhook"],
  ...["slack_workflow_webhook", "sourcegraph", "sourcegraphcody", "squareapp", "squareup", "stripe", "supabase"],
  ...["tailscale", "tines_webhook", "trufflehog", "twilio", "ubidots", "voiceflow", "web_url_with_credentials"],
  "zapierwebhook",
];
