/** Meaning of permissions and risk levels, in words, as the end of a sentence about what something can do. */
import type { Permission, RiskLevel } from '../ops/risk.ts';
import { type Text, text } from '../text/text.ts';

export const riskLevelTexts: { readonly [L in RiskLevel]: Text } = {
	SAFE: text('reads and changes none of your files'),
	MONITORED: text('can read files and web pages; every effect is recorded'),
	CONTROLLED: text('can change files; asks for each new target'),
	RESTRICTED: text('can run commands; asks every time unless one of your rules allows it'),
	PRIVILEGED: text('can do everything it asks for; asks every time'),
};

const permissionTexts: { readonly [P in Permission]: Text } = {
	'workspace.read': text('read and search the files of the workspace'),
	'workspace.write': text('change, create and delete files of the workspace'),
	shell: text('run commands'),
	editor: text("see the editor's problems and symbols"),
	git: text("read the repository's state and changes"),
	user: text('ask you questions'),
	thread: text('report progress and remaining work in the thread'),
	http: text('send requests to web addresses'),
	secrets: text('use secrets that you stored'),
	database: text('query and change databases'),
	crypto: text('hash, sign and encrypt'),
	capabilities: text('start other capabilities with its own permissions and no more'),
	llm: text('ask models'),
	mcp: text('call tools of MCP servers'),
	memory: text('read and note what you let Prowess remember'),
};

/** Meaning of a permission that a capability of this level has. */
export function permissionText(permission: Permission, level: RiskLevel): Text {
	return permission === 'secrets' && level !== 'PRIVILEGED' ? SECRET_NAMES : permissionTexts[permission];
}

/** The value of a secret is handed out at PRIVILEGED alone. */
const SECRET_NAMES = text('see the names of secrets that you stored, not their values');

/** Meaning of `channel: loopback` of an executor. */
export const loopbackPortText = text(
	'opens a port on this machine (127.0.0.1) until it connects; other programs could try it, but need a token that only its process has',
);

/** Meaning of a program for Codebolt, of itself. */
export const codeboltProgramText = text(
	'Written for Codebolt: its files, commands and questions become requests here, and whatever else it calls is refused.',
);
