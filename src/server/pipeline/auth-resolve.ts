/**
 * Stage 1: decides whether this turn may run at all, and with which model. No model is asked and no data is sent before
 * the workspace is trusted.
 */
import { ProwessError } from '../../protocol/errors.ts';
import { quotaText } from '../../protocol/pages/quota-text.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import { WARNED_SHARE } from '../../protocol/usage.ts';
import { passedOverNotice } from '../loop/failover-notices.ts';
import type { ResolvedModels } from '../models/failover/resolution.ts';
import type { Turn, TurnDeps } from '../turn/turn.ts';

export async function authResolve(turn: Turn, deps: TurnDeps, signal: AbortSignal): Promise<ResolvedModels> {
	if (!deps.workspace().trusted) {
		throw new ProwessError('WORKSPACE_UNTRUSTED', 'the workspace is not trusted, so nothing was read or sent');
	}
	const prompt = { text: turn.text, attachments: turn.context.length, messagesBefore: turn.before.length };
	const resolved = await deps.models.line({ modelId: turn.modelId, prompt, threadId: turn.threadId }, signal);
	turn.journal.answering(resolved.models.current.id);
	if (resolved.passedOver !== undefined) {
		turn.journal.notice(passedOverNotice(resolved.passedOver));
	}
	const warned = resolved.models.current.quotas?.().find(({ used, limit }) => used >= limit * WARNED_SHARE);
	if (warned !== undefined) {
		const text = inEnglish(quotaText(warned));
		turn.journal.notice({ level: 'warning', text, actions: [], quota: warned });
	}
	resolved.models.current.prepare?.(signal);
	return resolved;
}
