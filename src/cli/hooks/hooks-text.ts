/** Says which hooks of the project do not run because the user has not agreed to them. */
import type { TrustedBase } from '../../host/trusted-base.ts';
import { visibleLine } from '../terminal/visible.ts';

export async function hooksNotAllowedText({ hooks }: Pick<TrustedBase, 'hooks'>): Promise<string> {
	const { files } = await hooks.list();
	return files
		.filter(({ state, isOfProject }) => isOfProject && (state === 'changed' || state === 'not allowed'))
		.map(({ path, state }) => {
			const why = state === 'changed' ? 'have changed since you allowed them' : 'are not allowed';
			return `prowess: hooks in ${visibleLine(path)} ${why} and do not run. See "prowess hooks list".\n`;
		})
		.join('');
}
