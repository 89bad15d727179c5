/** Models that the rules of an organisation leave of a provider. The host says which, with each provider. */
import { matchesPattern } from '../../base/text/matches-pattern.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { inEnglish, text } from '../../protocol/text/text.ts';
import type { ProviderConfig } from '../../protocol/turn/models.ts';

export function isAllowedModel({ allowedModels }: ProviderConfig, modelId: string): boolean {
	return allowedModels === undefined || allowedModels.some((pattern) => matchesPattern(pattern, modelId));
}

/** Throws DENIED_BY_ORGANISATION. */
export function requireAllowedModel(config: ProviderConfig, modelId: string): void {
	if (isAllowedModel(config, modelId)) return;
	const said = text('Your organisation does not allow the model {model}.', { model: `${config.id}/${modelId}` });
	throw new ProwessError('DENIED_BY_ORGANISATION', inEnglish(said), { said });
}
