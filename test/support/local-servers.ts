/**
 * Replies in which programs that serve models on the user's own machine describe themselves, for `startModelServer`.
 */

/** Ollama, which runs the model with `loaded` tokens of the `most` it was made for. */
export function ollama({ loaded, most }: { readonly loaded: number; readonly most: number }) {
	return {
		ownedBy: 'library',
		fingerprint: 'fp_ollama',
		answers: {
			'/api/ps': {
				models: [
					{ name: 'other:latest', model: 'other:latest', context_length: 2_048 },
					{ name: 'scripted:latest', model: 'scripted:latest', size_vram: 0, context_length: loaded },
				],
			},
			'/api/show': {
				parameters: 'stop                           "<|im_end|>"',
				model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': most },
			},
		},
	};
}

/** Ollama before it told what it runs a model with; the Modelfile says `num_ctx`. */
export function olderOllama(written: number) {
	const { answers, ...marks } = ollama({ loaded: 0, most: 32_768 });
	const running = { models: [{ name: 'scripted:latest', model: 'scripted:latest' }] };
	const parameters = `num_ctx                        ${written}\nstop                           "x"`;
	return {
		...marks,
		answers: { '/api/ps': running, '/api/show': { ...answers['/api/show'], parameters } },
	};
}

export function lmStudio({ loaded, most }: { readonly loaded: number; readonly most: number }) {
	return {
		ownedBy: 'organization_owner',
		// This server puts the model's name there.
		fingerprint: 'scripted',
		answers: {
			'/api/v0/models': {
				object: 'list',
				data: [
					{ id: 'other', object: 'model', state: 'not-loaded', max_context_length: 8_192 },
					{
						id: 'scripted',
						object: 'model',
						type: 'llm',
						state: 'loaded',
						max_context_length: most,
						loaded_context_length: loaded,
					},
				],
			},
		},
	};
}

export function llamaCpp(loaded: number) {
	return {
		ownedBy: 'llamacpp',
		fingerprint: 'b5180-bc091a4d',
		answers: { '/props': { default_generation_settings: { id: 0, n_ctx: loaded }, total_slots: 1 } },
	};
}
