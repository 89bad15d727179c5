/**
 * Starters that the author of a capability permits: `modelInvocable` in its manifest, `disable-model-invocation` in a
 * SKILL.md.
 */
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { text } from '../../../protocol/text/text.ts';
import type { CapabilityManifest } from '../../../protocol/capability/manifest.ts';
import type { StartOptions } from './start-options.ts';

type Starter = Pick<StartOptions, 'caller' | 'parentAgentId' | 'service' | 'isNamedByUser'>;

/**
 * True when a person starts the capability themselves. Agents are no persons, those of the editor included. Nor are
 * executions, because a model may have chosen what they start. A capability that is asked for a service was named for
 * that by the user.
 */
export function isStartedByPerson({ caller, parentAgentId, service }: Starter): boolean {
	return service !== undefined || (caller.kind === 'user' && parentAgentId === undefined);
}

/** Throws DENIED_BY_RULE. */
export function checkStarter({ type, name, modelInvocable }: CapabilityManifest, starter: Starter): void {
	if (!modelInvocable && starter.isNamedByUser !== true && !isStartedByPerson(starter)) {
		const message = `the ${type} ${name} is for people only: its author has switched off that models start it. Ask the user to run it, or to name it as /${name}`;
		throw new ProwessError('DENIED_BY_RULE', message, {
			type,
			name,
			reason: text('{type} {name} is for people only. Run it yourself, or name it as /{name}.', { type, name }),
		});
	}
}
