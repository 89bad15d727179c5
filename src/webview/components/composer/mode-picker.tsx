/** Choice of the mode of the thread: what the agent may do in it at all. */
import { Mode } from '../../../protocol/thread/thread.ts';
import type { Translate } from '../../parts/translate.ts';
import { useView } from '../../actions/view-context.ts';
import { type MenuEntry, MenuPicker } from '../menu-picker.tsx';

interface ModePickerProps {
	readonly mode: Mode;
	/** Raised when the menu should open. */
	readonly openRequests: number;
}

export function ModePicker({ mode, openRequests }: ModePickerProps) {
	const { t, threads, editor } = useView();
	const chosen = toModeEntry(mode, t);
	return (
		<MenuPicker
			kind="mode"
			menuLabel={t('Mode')}
			label={t('Mode: {mode}', { mode: chosen.name })}
			chosen={chosen}
			entries={[...Mode.options.map((each) => toModeEntry(each, t)), toModeEntry('agents', t)]}
			openRequests={openRequests}
			onChoose={(each) => void (each === 'agents' ? editor.command('showAgents') : threads.choose({ mode: each }))}
		/>
	);
}

function toModeEntry(id: Mode | 'agents', t: Translate): MenuEntry<Mode | 'agents'> {
	switch (id) {
		case 'agent':
			return { id, icon: 'tools', name: t('Agent'), sentence: t('Can use every tool') };
		case 'ask':
			return { id, icon: 'comment', name: t('Ask'), sentence: t('Reads and answers only') };
		case 'plan':
			return {
				id,
				icon: 'checklist',
				name: t('Plan'),
				sentence: t('Reads, and begins when you approve its plan'),
			};
		// An entry that is not a mode: a custom agent begins another thread.
		case 'agents':
			return {
				id,
				icon: 'organization',
				name: t('Custom agent…'),
				sentence: t('Begins a thread as one of your agents'),
			};
	}
}
