/** Advice about an error for a person at a terminal: the sentence after its message. */
import type { ErrorCode, ErrorFacts } from '../../protocol/errors/errors.ts';
import type { DispatchError } from '../../protocol/execution/execution.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import { visibleLine } from './visible.ts';

const GO_ON_ANYWAY =
	'To go on anyway: "prowess run --thread ID", best with a hint what to do instead. Or name another model with --model.';

/** For a limit that the message or its agent has set. */
const MORE_ROUNDS =
	'To continue: "prowess run --thread ID continue". Or allow more with --rounds, or with maxTurns of the custom agent.';

const advice: Partial<Record<ErrorCode, string>> = {
	KEY_MISSING:
		'Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GOOGLE_API_KEY for that provider, or PROWESS_API_KEY for the one you use.',
	PROVIDER_AUTH: 'The provider does not accept the key. Check the variable it comes from.',
	PROVIDER_UNREACHABLE:
		'Check the address (--base-url, or prowess.providers in settings.json) and the network; "prowess doctor" tries it.',
	NO_MODEL:
		'Name one with --provider and --model. "prowess run --provider tour" needs none, but answers no capability.',
	MODEL_NOT_FOUND: 'Name another with --model.',
	THREAD_BUSY:
		'Another window or terminal is working in this thread. Wait until it is done, or go on without --thread.',
	TURN_RUNNING: 'Wait until it is done, or go on without --thread.',
	THREAD_NOT_FOUND: '"prowess thread list" shows which there are.',
	WORKSPACE_UNTRUSTED: 'If you trust what lies there, run again with --trust; it is remembered for this folder.',
	DENIED_BY_ORGANISATION: '"prowess policy show" lists the rules of your organisation. Ask your administrators.',
	ORGANISATION_RULES_REFUSED: 'Your administrators can repair them; "prowess policy validate FILE" checks a file.',
	LEDGER_UNWRITABLE: 'Nothing is done that cannot be recorded. Check the disk and the rights of PROWESS_HOME.',
	STORE_UNAVAILABLE: 'Check the disk and the rights of PROWESS_HOME; "prowess doctor" tries it.',
	STORE_NEWER: 'PROWESS_HOME was written by a newer Prowess. Update this one, or set PROWESS_HOME to another folder.',
	SERVER_GONE: '"prowess run --thread" goes on with the thread; what was done is in the ledger.',
	ITERATION_LIMIT:
		'To continue: "prowess run --thread ID continue". Or raise prowess.agent.maxIterations in settings.json of PROWESS_HOME.',
	COST_LIMIT: 'To continue: "prowess run --thread ID continue", with a --max-cost of its own.',
	PRICE_UNKNOWN:
		'Set price of this model in prowess.models.settings (settings.json of PROWESS_HOME), or leave out --max-cost.',
	GOING_IN_CIRCLES: GO_ON_ANYWAY,
	ANSWER_REPEATS: GO_ON_ANYWAY,
	ANSWERS_CUT:
		'Ask for less at once with "prowess run --thread ID", raise maxOutput of this model in prowess.models.settings (settings.json of PROWESS_HOME), or name another with --model.',
	CAPABILITY_NOT_FOUND: '"prowess capability list" shows which there are.',
	INVALID_CAPABILITY_CONFIG: '"prowess capability validate" shows all that is wrong with yours.',
	EXECUTOR_NOT_FOUND: '"prowess executor list" shows which types can be run; the type is in capability.yaml.',
	SECRET_NOT_FOUND: '"prowess secrets list" shows which there are, "prowess secrets set" stores one.',
	VERSION_MISMATCH: 'Install Prowess again.',
	CONTEXT_OVERFLOW: 'Begin a new thread, or ask for less at once.',
};

/** `threadId`: the thread in which it happened, which then stands where the advice says ID. */
export function whatToDo(
	{ code, facts = {} }: Pick<DispatchError, 'code' | 'facts'>,
	threadId: ThreadId | 'ID' = 'ID',
): string | undefined {
	const advised = code === 'ITERATION_LIMIT' && 'ofMessage' in facts ? MORE_ROUNDS : advice[code];
	if (facts['isAgreeable'] === true) return 'If you agree to that, run again with --agree.';
	return howToBeAsked(facts) ?? advised?.replace('--thread ID', `--thread ${threadId}`);
}

/** For what was refused only because nobody can be asked, else undefined; `automatic`: who approves that by itself. */
export function howToBeAsked({ unattended: refused }: ErrorFacts = {}): string | undefined {
	if (typeof refused !== 'object' || refused === null || !('automatic' in refused)) {
		return undefined;
	}
	switch (refused.automatic) {
		case 'edit':
			return 'Run it in a terminal, or pass --approve edit.';
		case 'auto':
			return 'Run it in a terminal, or pass --approve auto.';
		case 'full':
			return 'Run it in a terminal, or, in a container, pass --approve full.';
		default:
			return 'mcpServer' in refused && typeof refused.mcpServer === 'string'
				? `Run it in a terminal, or let the server start from now on: prowess mcp allow ${visibleLine(refused.mcpServer)}`
				: 'Run it in a terminal.';
	}
}
