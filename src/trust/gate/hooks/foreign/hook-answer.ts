/**
 * Reads answers of hooks as other agents understand them. Answers that would allow something are left out: a hook can
 * only tighten.
 */
import { parseJsonOrUndefined } from '../../../../base/text/lenient.ts';
import { cutText } from '../../../../base/text/one-line.ts';
import * as z from '../../../../protocol/text/zod.ts';
import { HOOK_CONTEXT_CHARS, HOOK_TEXT_CHARS } from '../limits.ts';
import type { HookEnd } from '../run-hook.ts';
import type { HookEvent } from './read-hook-file.ts';

export interface HookAnswer {
	/** Reason why it is not done; undefined: it goes on. */
	readonly block?: string;
	/** Reason why the user is to be asked. */
	readonly ask?: string;
	/** Text for the agent. */
	readonly context?: string;
	/** Set when the hook failed in a way that stops nothing. */
	readonly failure?: string;
}

const Specific = z.looseObject({
	permissionDecision: z.string().optional(),
	/** Cursor's names. */
	permission: z.string().optional(),
	agent_message: z.string().optional(),
	user_message: z.string().optional(),
	additional_context: z.string().optional(),
	permissionDecisionReason: z.string().optional(),
	updatedInput: z.unknown().optional(),
	additionalContext: z.string().optional(),
});
const ForeignHookAnswer = z.looseObject({
	...Specific.shape,
	continue: z.boolean().optional(),
	stopReason: z.string().optional(),
	decision: z.string().optional(),
	reason: z.string().optional(),
	modifiedArgs: z.unknown().optional(),
	/** Set by Cursor's `stop`: what the agent is to do next. */
	followup_message: z.string().optional(),
	hookSpecificOutput: Specific.optional(),
});

const BLOCKING_EXIT_CODE = 2;
/** Events whose plain output is text for the agent. */
const SAYS: readonly HookEvent[] = ['SessionStart', 'UserPromptSubmit', 'UserPromptExpansion'];

export function hookAnswer(event: HookEvent, { exitCode, stdout, stderr }: HookEnd): HookAnswer {
	if (exitCode === BLOCKING_EXIT_CODE) {
		return { block: formatHookReason(stderr) };
	}
	if (exitCode !== 0) {
		const how = exitCode === null ? 'it was ended by a signal' : `it ended with exit code ${exitCode}`;
		return { failure: stderr.trim() === '' ? how : `${how}: ${cutText(stderr.trim(), HOOK_TEXT_CHARS)}` };
	}
	const plain = stdout.trim();
	if (!plain.startsWith('{')) {
		return SAYS.includes(event) && plain !== '' ? { context: cutText(plain, HOOK_CONTEXT_CHARS) } : {};
	}
	const read = ForeignHookAnswer.safeParse(parseJsonOrUndefined(plain));
	return read.success
		? toHookAnswer(event, read.data)
		: { failure: `its answer cannot be read: ${cutText(plain, HOOK_TEXT_CHARS)}` };
}

/** True for an event whose op has ended: an answer can refuse nothing any more, and is told to the model of the op. */
export function followsOp(event: HookEvent): boolean {
	return event === 'PostToolUse' || event === 'PostToolUseFailure';
}

const ModelVerdict = z.looseObject({ ok: z.boolean(), reason: z.string().optional() });

/** Reads the answer of a model to a hook of type `prompt`: `{"ok": false, "reason": "…"}` refuses. Some wrap it in words or a fence. */
export function modelAnswer(said: string): HookAnswer {
	const json = /\{[^]*\}/.exec(said)?.[0] ?? '';
	const read = ModelVerdict.safeParse(parseJsonOrUndefined(json));
	if (!read.success) return { failure: `its answer cannot be read: ${cutText(said.trim(), HOOK_TEXT_CHARS)}` };
	return read.data.ok ? {} : { block: formatHookReason(read.data.reason ?? '') };
}

function toHookAnswer(
	event: HookEvent,
	{ hookSpecificOutput: specific = {}, ...answer }: z.infer<typeof ForeignHookAnswer>,
): HookAnswer {
	const decision = specific.permissionDecision ?? answer.permissionDecision ?? answer.decision ?? answer.permission;
	const said = answer.agent_message ?? answer.user_message ?? '';
	const reason = specific.permissionDecisionReason ?? answer.permissionDecisionReason ?? answer.reason ?? said;
	const context = specific.additionalContext ?? answer.additionalContext ?? answer.additional_context;
	const input = specific.updatedInput ?? answer.updatedInput ?? answer.modifiedArgs;
	if (answer.continue === false) {
		// For the `Stop` event, "do not continue" means the agent may stop, so nothing is blocked.
		if (event === 'Stop') return {};
		return { block: formatHookReason(answer.stopReason ?? reason) };
	}
	if (event === 'Stop' && (answer.followup_message ?? '').trim() !== '') {
		return { block: formatHookReason(answer.followup_message ?? '') };
	}
	const told = context === undefined ? {} : { context: cutText(context, HOOK_CONTEXT_CHARS) };
	if (decision === 'deny' || decision === 'block') {
		return { block: formatHookReason(reason), ...told };
	}
	if (input !== undefined && !followsOp(event)) {
		// To go on with the input of the model would leave out what the hook protects.
		return { block: `it wants another input than this: ${cutText(JSON.stringify(input), HOOK_TEXT_CHARS)}` };
	}
	return {
		...(decision === 'ask' ? { ask: formatHookReason(reason) } : {}),
		...told,
	};
}

function formatHookReason(reason: string): string {
	return reason.trim() === '' ? 'it gives no reason' : cutText(reason.trim(), HOOK_TEXT_CHARS);
}
