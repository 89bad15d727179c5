/**
 * Decides which model or capability answers a capability that asks a model: a connected model, or another capability
 * that provides `llm`. Only the user says which capabilities may answer. A capability that provides `llm` is never
 * answered by another one that does, so no circle can begin.
 */
import { ProwessError } from '../../protocol/errors/errors.ts';
import { CAPABILITY_MODEL_PREFIX, LLM_SERVICE } from '../../protocol/ops/definitions/agent/llm.ts';
import type { Settings } from '../../protocol/settings/settings.ts';
import { text } from '../../protocol/text/text.ts';

export type Answerer =
	/** Null: the one of the thread, else the default. */
	| { readonly kind: 'model'; readonly model: string | null }
	| { readonly kind: 'capability'; readonly model: string; readonly type: string; readonly name: string };

type AnswererSettings = Pick<Settings, 'prowess.capabilities.model' | 'prowess.capabilities.modelProviders'>;

/** Throws INVALID_PARAMS, INVALID_REQUEST or DENIED_BY_RULE. */
export function whoAnswers(named: string | undefined, settings: AnswererSettings, isWithinProvider: boolean): Answerer {
	const chosen = settings['prowess.capabilities.model'];
	if (named === undefined) {
		if (!chosen.startsWith(CAPABILITY_MODEL_PREFIX)) {
			return { kind: 'model', model: chosen === '' ? null : chosen };
		}
		return isWithinProvider ? { kind: 'model', model: null } : capabilityIn(chosen, 'prowess.capabilities.model');
	}
	if (!named.startsWith(CAPABILITY_MODEL_PREFIX)) {
		return { kind: 'model', model: named };
	}
	const answerer = capabilityIn(named, 'model');
	if (isWithinProvider) {
		const message = `model "${named}": what provides ${LLM_SERVICE}, or runs for one that does, is answered by a connected model only. Name one, or none`;
		throw new ProwessError('INVALID_REQUEST', message, {
			model: named,
			said: text('"{model}" cannot answer here: only a connected model can. Name one, or none.', { model: named }),
		});
	}
	const allowed = settings['prowess.capabilities.modelProviders'].map((each) => `${CAPABILITY_MODEL_PREFIX}${each}`);
	if (named !== chosen && !allowed.includes(named)) {
		const message = `model "${named}": the user has not named this capability to answer others. They can in prowess.capabilities.modelProviders`;
		throw new ProwessError('DENIED_BY_RULE', message, {
			model: named,
			reason: text('"{model}" may answer others only if prowess.capabilities.modelProviders names it.', {
				model: named,
			}),
		});
	}
	return answerer;
}

function capabilityIn(model: string, where: string): Extract<Answerer, { kind: 'capability' }> {
	const [type = '', name = '', ...more] = model.slice(CAPABILITY_MODEL_PREFIX.length).split('/');
	if (type === '' || name === '' || more.length > 0) {
		throw new ProwessError('INVALID_PARAMS', `${where}: "${model}", expected ${CAPABILITY_MODEL_PREFIX}type/name`, {
			said: text('{where}: "{model}" is not the name of a capability, such as {expected}.', {
				where,
				model,
				expected: `${CAPABILITY_MODEL_PREFIX}type/name`,
			}),
		});
	}
	return { kind: 'capability', model, type, name };
}
