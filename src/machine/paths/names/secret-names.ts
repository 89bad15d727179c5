/**
 * Files that hold secrets by their name: reading one asks, and search leaves them out. Samples that are meant to be
 * committed (`.env.example` and its kin, public keys) are not secret.
 */
import { nameRules } from './name-rules.ts';

export const secretRules: readonly string[] = [
	'.env',
	'.env.*',
	'*.env',
	'.envrc',
	'*.pem',
	'*.key',
	'*.p8',
	'*.p12',
	'*.pfx',
	'*.jks',
	'*.keystore',
	'*.kdbx',
	'*.ppk',
	'id_rsa*',
	'id_dsa*',
	'id_ecdsa*',
	'id_ed25519*',
	'.npmrc',
	'.yarnrc.yml',
	'.pypirc',
	'.netrc',
	'_netrc',
	'.pgpass',
	'.my.cnf',
	'.htpasswd',
	'.git-credentials',
	'.git/config',
	'.dockercfg',
	'.docker/config.json',
	'.aws/',
	'.ssh/',
	'.gnupg/',
	'.azure/',
	'.kube/',
	'.config/gcloud/',
	'.config/gh/',
	'.vault-token',
	'.terraformrc',
	'*.tfvars',
	'*.tfstate',
	'*.tfstate.backup',
	'.cargo/credentials*',
	'.gem/credentials',
	'.m2/settings.xml',
	'credentials.json',
	'service-account*.json',
	'secrets.json',
	'secrets.yml',
	'secrets.yaml',
	'secrets.toml',
	'secret.y*ml',
	'secret.json',
	'keystore.properties',
	'secrets.*.y*ml',
	'kubeconfig',
	'kubeconfig.y*ml',
	'*.kubeconfig',
	'wp-config.php',
	'credentials.y*ml',
	'credentials.*.json',
	'*-credentials.json',
	'client_secret*.json',
	'gcp-key*.json',
	'wg0.conf',
	'firebase-adminsdk*.json',
	'*-firebase-adminsdk*.json',
	'env.production',
	'env.local',
	'.env~',
	'.env-*',
	'#.env*',
	'local.settings.json',
	'appsettings.production.json',
	'appsettings.staging.json',
	'.s3cfg',
	'.boto',
	'.passwd-s3fs',
	'token.txt',
	'tokens.txt',
	'password.txt',
	'passwords.txt',
	'passwords.csv',
	'vault.y*ml',
	'.vault_pass*',
	'.ftpconfig',
	'.esmtprc',
	'.msmtprc',
	'.fetchmailrc',
	'.mylogin.cnf',
	'.rclone.conf',
	'rclone.conf',
	'.config/op/',
	'.password-store/',
	'*.ovpn',
	'*.mobileprovision',
	'.htdigest',
];
/** Samples and public keys. */
export const openRules: readonly string[] = [
	'.env.example',
	'.env.sample',
	'.env.template',
	'.env.dist',
	'.env-example',
	'.env-sample',
	'.env-template',
	'id_*.pub',
	'.ssh/*.pub',
];

export const isSecretName = nameRules(secretRules, openRules);

/** Attributes for Git that keep it from showing the text of secret files, of any time. */
export const secretAttributes: string = [
	...secretRules.map((rule) => `${anyCase(rule)} -diff`),
	...openRules.map((rule) => `${anyCase(rule)} !diff`),
]
	.map((line) => `${line}\n`)
	.join('');

/** Returns the rule as a Git pattern: at any depth, in any case, with everything below a folder. */
function anyCase(rule: string): string {
	const letters = rule.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
	// A line that begins with `#` is a comment to Git.
	const whole = letters.endsWith('/') ? `${letters}**` : letters;
	const all = whole.startsWith('#') ? `[#]${whole.slice(1)}` : whole;
	return all.includes('/') ? `**/${all}` : all;
}
