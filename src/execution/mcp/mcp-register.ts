/** MCP servers in the hands of the user: looked over, tried, stopped. Trying one is an op like any other, and recorded. */
import { ProwessError } from '../../protocol/errors/errors.ts';
import { newId } from '../../protocol/rpc/ids.ts';
import { type McpServerListing, mcpTools } from '../../protocol/ops/definitions/agent/mcp.ts';
import { text } from '../../protocol/text/text.ts';
import { type OpWork, type PerformForUser, requireOpResult } from '../../contract/ops/perform-op.ts';
import { recordUserAct } from '../../trust/record/ledger/user-act.ts';
import type { HostPorts } from '../../contract/ports/ports.ts';
import { systemResolve } from '../../machine/http/resolve-host.ts';
import type { SecretVault } from '../../machine/secrets/secret-vault.ts';
import type { ApprovalOrigins } from '../../trust/gate/approvals/approval-origins.ts';
import type { PersonDesk } from '../../trust/gate/approvals/desk.ts';
import type { ProjectRules } from '../../trust/gate/policy/rules/project-rules.ts';
import type { Redactor } from '../../trust/record/redaction/redactor.ts';
import { McpConsent } from './consent/mcp-consent.ts';
import { McpServers } from './mcp-servers.ts';
import { KeptSignIns } from './sign-in/kept-sign-ins.ts';
import { McpReading, type RunningOffers } from './offers/mcp-reading.ts';
import type { LedgerPort } from '../../trust/record/ledger/ledger.ts';

export interface McpRegister extends Pick<McpServers, 'list' | 'allow' | 'stop' | 'log' | 'lacks' | 'onDidChange'> {
	/** Goes up whenever a server starts, ends or fails, or its tools are seen. */
	readonly changes: number;
	/** Resources and prompts of the servers that run now; none is started. */
	offers(signal: AbortSignal): Promise<readonly RunningOffers[]>;
	/** Starts it where it does not run, after the user's yes, and lists its tools. Rejects as the op. */
	look(name: string, signal: AbortSignal): Promise<McpServerListing>;
	/** Forgets a sign-in at it. False when there was none. Rejects with NOT_FOUND. */
	signOut(name: string): Promise<boolean>;
}

interface McpRegisterDeps {
	readonly servers: McpServers;
	readonly performForUser: PerformForUser;
	readonly ledger: Pick<LedgerPort, 'append'>;
	/** Returns the implementation of `mcp.tools`; undefined: it is not carried out here. */
	work(): OpWork | undefined;
}

interface McpParts extends Pick<ConstructorParameters<typeof McpServers>[0], 'plugins' | 'sandbox' | 'environment'> {
	readonly ports: HostPorts;
	readonly desk: PersonDesk;
	readonly origins: ApprovalOrigins;
	readonly ledger: LedgerPort;
	readonly redactor: Redactor;
	readonly vault: SecretVault;
	readonly projectRules: ProjectRules;
}

/** Creates the servers, and the user's consent to each. */
export function createMcpServers({ ports, desk, origins, ledger, redactor, vault, projectRules, ...parts }: McpParts) {
	const { places, workspace, settings, approvalMode } = ports;
	const mcpConsent = new McpConsent({ home: places.home, desk, origins, ledger, redactor, approvalMode });
	const mcp = new McpServers({
		...parts,
		places,
		workspace,
		settings,
		resolve: systemResolve,
		secrets: vault,
		signIn: ports.signIn,
		signIns: new KeptSignIns({ kept: ports.signIn.kept, addSecret: (value) => redactor.addSecret(value) }),
		consent: mcpConsent,
		projectRules: () => projectRules.current,
		redact: (text) => redactor.redact(text),
	});
	return { mcp, mcpConsent };
}

export function mcpRegister({ servers, performForUser, ledger, work }: McpRegisterDeps): McpRegister {
	const reading = new McpReading(servers);
	let changes = 0;
	servers.onDidChange(() => (changes += 1));
	return {
		get changes() {
			return changes;
		},
		list: () => servers.list(),
		allow: (name, scope, signal) => servers.allow(name, scope, signal),
		stop: (name) => servers.stop(name),
		offers: (signal) => reading.running(signal),
		log: (name) => servers.log(name),
		lacks: (name) => servers.lacks(name),
		signOut: (name) =>
			recordUserAct(
				ledger,
				{ op: 'mcp.signOut', input: `Sign out of the MCP server ${name}`, params: { name } },
				(was) => (was ? 'signed out' : 'was not signed in'),
				() => servers.signOut(name),
			),
		onDidChange: servers.onDidChange,
		async look(name, signal) {
			const op = work();
			if (op === undefined) {
				throw new ProwessError('INTERNAL', 'the op mcp.tools is not carried out here');
			}
			const outcome = await performForUser(op, { opId: newId('op'), params: { server: name } }, null, signal);
			const [listing] = mcpTools.result.parse(requireOpResult(outcome, `the MCP server ${name}`)).servers;
			if (listing === undefined) {
				throw new ProwessError('NOT_FOUND', `there is no MCP server "${name}"`, {
					name,
					said: text('There is no MCP server "{name}".', { name }),
				});
			}
			return listing;
		},
	};
}
