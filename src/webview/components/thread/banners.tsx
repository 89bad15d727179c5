/** States of the house that the user must know of: not trusted, server not running, something failed. */
import { type AnyError, textForUser } from '../../../protocol/errors/error-text.ts';
import type { ViewState } from '../../state/view-state.ts';
import { useView } from '../../actions/view-context.ts';
import { Icon, IconButton } from '../../parts/icon.tsx';

export function Banners({ server, workspace }: { server: ViewState['server']; workspace: ViewState['workspace'] }) {
	const { t, editor } = useView();
	return (
		<div class="banners" role="status">
			{!workspace.trusted && (
				<div class="banner warning">
					<Icon name="shield" />
					<span>{t('This workspace is not trusted, so the agent cannot act in it.')}</span>
					<button type="button" class="button secondary" onClick={() => void editor.command('trustWorkspace')}>
						{t('Manage trust')}
					</button>
				</div>
			)}
			{server.kind === 'starting' && (
				<div class="banner info">
					<Icon name="loading" spin={true} />
					<span>{t('Starting the agent…')}</span>
				</div>
			)}
			{server.kind === 'degraded' && (
				<div class="banner error">
					<Icon name="error" />
					<span>{t('The agent is not running: {reason}', { reason: server.reason })}</span>
					<span class="banner-actions">
						<button type="button" class="button" onClick={() => void editor.command('restartServer')}>
							{t('Restart')}
						</button>
						<button type="button" class="button secondary" onClick={() => void editor.command('showLogs')}>
							{t('Show logs')}
						</button>
					</span>
				</div>
			)}
		</div>
	);
}

/** Way out of a thread that cannot go on here. */
export function NewThreadButton({ onShown }: { onShown(): void }) {
	const { t, threads } = useView();
	const showNewThread = () => {
		void threads.show(null);
		onShown();
	};
	return (
		<button type="button" class="button secondary" onClick={showNewThread}>
			{t('New thread')}
		</button>
	);
}

export function ProblemBar({ error }: { error: AnyError }) {
	const { t, editor, dispatch } = useView();
	return (
		<div class="banner error problem" role="alert">
			<Icon name="error" />
			<span>{textForUser(error, t)}</span>
			{error.code === 'WORKSPACE_FOLDER_GONE' && (
				<button type="button" class="button secondary" onClick={() => void editor.command('openFolder')}>
					{t('Open folder')}
				</button>
			)}
			<IconButton icon="close" title={t('Dismiss')} onClick={() => dispatch({ type: 'problem', error: null })} />
		</div>
	);
}
