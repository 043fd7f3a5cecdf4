// Written by `npm run codegen` from server/openapi.json; do not edit.

export interface paths {
    "/v3/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List projects
         * @description Newest first; only those that the key may see. Every filter narrows the list further; TotalCount is the exact count of what matches.
         */
        get: operations["listProjects"];
        put?: never;
        /**
         * Create a project
         * @description A folder for files, with settings that they inherit.
         */
        post: operations["createProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/projects/{projectId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a project
         * @description Settings and exact counters of one project.
         */
        get: operations["getProject"];
        /**
         * Update a project
         * @description Partial: absent fields stay as they are, null clears.
         */
        put: operations["updateProject"];
        post?: never;
        /**
         * Delete a project
         * @description A project that still has files is deleted only with cascade=true, and takes them along: all of them answer 404 at once, and each gets its `file.deleted` in the minutes that follow. The project can be restored, with these files, until the retention time is over.
         */
        delete: operations["deleteProject"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/projects/{projectId}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted project
         * @description Brings a deleted project back until PurgeAt, with the files that were deleted with it; files that had been deleted before stay deleted. The project is back at once, and `project.updated` is sent. Its files follow in the background: until all are there, the project has IsRestoring true. `file.restored` is sent for each file, and then `project.restored`.
         */
        post: operations["restoreProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files of all projects
         * @description Finds files when you do not know their project, by externalId for example. A key that is restricted to projects sees the files of these projects. Newest first. Page with limit and offset, or follow NextCursor with the same filters. Every filter narrows the list further; TotalCount is the exact count of what matches. Files without a length or size sort below those that have one.
         */
        get: operations["listAllFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/projects/{projectId}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files of a project
         * @description Newest first. Page with limit and offset, or follow NextCursor with the same filters. Every filter narrows the list further; TotalCount is the exact count of what matches. Files without a length or size sort below those that have one.
         */
        get: operations["listFiles"];
        put?: never;
        /**
         * Upload a file
         * @description As JSON: creates the record and answers an upload URL, to which the bytes are PUT whole or in Content-Range chunks, or sent by tus; with SourceURI, Zoetrope fetches the bytes by itself. As multipart/form-data (part `file`, optional parts `Metadata` as JSON and `ExternalId` as text) or as the raw body: takes the bytes at once; the answer comes when they are safe and still says `created`: `uploaded` follows within moments, when they were found to be video or audio.
         */
        post: operations["createFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/projects/{projectId}/files/{fileId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a file
         * @description The record as webhooks carry it: state, metadata, properties, renditions and playouts.
         */
        get: operations["getFile"];
        /**
         * Update a file
         * @description Partial: absent fields stay as they are, null clears. A record that was read can be changed and sent back whole. Needs files:write for files of others, files:publish to release.
         */
        put: operations["updateFile"];
        post?: never;
        /**
         * Delete a file
         * @description Gone from every list and playout at once. It can be restored until the retention time is over; then its media is removed.
         */
        delete: operations["deleteFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/projects/{projectId}/files/{fileId}/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Update the metadata of a file
         * @description Partial: absent fields stay as they are, null clears. A record that was read can be changed and sent back whole. Needs files:write for files of others, files:publish to release.
         */
        put: operations["updateFileMetadata"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/projects/{projectId}/files/{fileId}/clips": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a clip of a file
         * @description Makes a part of a file a file of its own in the same project, without encoding what is cut: it begins with the last key frame at or before StartTime, and ends at EndTime to a frame or two. The record is answered at once, a worker cuts; from then on it is processed like an upload, with the same events. Metadata are those of the file, but for ReleaseStatus and the publication window; what you send takes their place. Captions and pictures are not taken over. The clip stays when the file is replaced or deleted afterwards. Answers 409 while the file is not playable, and when its source is not stored any more. Needs files:upload and files:read.
         */
        post: operations["createClip"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/projects/{projectId}/files/{fileId}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted file
         * @description Brings a deleted file back until it is purged, as it was: it counts and plays again, and what was being made of it is taken up again. Sends `file.restored`. Answers 409 when the file is not deleted, or when its project is: restore the project then. The storage quota does not keep a file from coming back.
         */
        post: operations["restoreFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/projects/{projectId}/files/{fileId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Process a file again
         * @description Processes the stored source of a `failed` or `degraded` file again, with the project's present encoder settings; with force=true that of a `finished` file too. What plays goes on playing until the new renditions are there, and is then swapped for them in whole; meanwhile the file is `playable`. Answers 409 in other states, and when the source is not stored any more. Needs files:write for files of others.
         */
        post: operations["retryFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/modules/playlists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List playlists
         * @description Newest first, without their elements: get one playlist for these. A key that is restricted to projects sees the playlists of these projects.
         */
        get: operations["listPlaylists"];
        put?: never;
        /**
         * Create a playlist
         * @description A manual one of files that you put in order, or an automatic one of files that its Rules find. It plays as one stream once it is published.
         */
        post: operations["createPlaylist"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/modules/playlists/{playlistId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a playlist
         * @description With its elements as they are now: an automatic playlist is evaluated on every read, and deleted files have left it.
         */
        get: operations["getPlaylist"];
        /**
         * Update a playlist
         * @description Partial: absent fields stay as they are, null clears. Elements replaces the whole list: send it in a new order to sort, without an element to remove it.
         */
        put: operations["updatePlaylist"];
        post?: never;
        /**
         * Delete a playlist
         * @description Its stream, player page and feeds are gone at once, its files stay. It can be restored until the retention time is over.
         */
        delete: operations["deletePlaylist"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/modules/playlists/{playlistId}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted playlist
         * @description Brings a deleted playlist back until PurgeAt. Sends playlist.updated and playlist.restored.
         */
        post: operations["restorePlaylist"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/modules/playlists/{playlistId}/elements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add files to a manual playlist
         * @description At its end, or at a position, without sending the whole list.
         */
        post: operations["addPlaylistElements"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/modules/playlists/rules/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * See what rules would find
         * @description The elements that an automatic playlist with these Rules would have now. Nothing is kept.
         */
        post: operations["previewPlaylist"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/modules/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List categories
         * @description What a file is about. All of the account, newest first.
         */
        get: operations["listCategories"];
        put?: never;
        /**
         * Create a category
         * @description What a file is about. The metadata of a file names it by its Id or its CustomId.
         */
        post: operations["createCategory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/modules/categories/{categoryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a category
         * @description What a file is about.
         */
        get: operations["getCategory"];
        /**
         * Update a category
         * @description Partial: absent fields stay as they are, null clears. Files that name it follow within seconds, each with its file.updated; until then their records show the former Label.
         */
        put: operations["updateCategory"];
        post?: never;
        /**
         * Delete a category
         * @description For good: there is no way to restore it. Files that name it lose it within seconds, each with its file.updated.
         */
        delete: operations["deleteCategory"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/modules/videotypes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List video types
         * @description What a file is: a trailer, an interview, a whole episode. All of the account, newest first.
         */
        get: operations["listVideotypes"];
        put?: never;
        /**
         * Create a video type
         * @description What a file is: a trailer, an interview, a whole episode. The metadata of a file names it by its Id or its CustomId.
         */
        post: operations["createVideotype"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/modules/videotypes/{videotypeId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a video type
         * @description What a file is: a trailer, an interview, a whole episode.
         */
        get: operations["getVideotype"];
        /**
         * Update a video type
         * @description Partial: absent fields stay as they are, null clears. Files that name it follow within seconds, each with its file.updated; until then their records show the former Label.
         */
        put: operations["updateVideotype"];
        post?: never;
        /**
         * Delete a video type
         * @description For good: there is no way to restore it. Files that name it lose it within seconds, each with its file.updated.
         */
        delete: operations["deleteVideotype"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/modules/shares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List shares
         * @description Where a file is meant to be shown: a partner, a channel, a site. All of the account, newest first.
         */
        get: operations["listShares"];
        put?: never;
        /**
         * Create a share
         * @description Where a file is meant to be shown: a partner, a channel, a site. The metadata of a file names it by its Id or its CustomId.
         */
        post: operations["createShare"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/modules/shares/{shareId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a share
         * @description Where a file is meant to be shown: a partner, a channel, a site.
         */
        get: operations["getShare"];
        /**
         * Update a share
         * @description Partial: absent fields stay as they are, null clears. Files that name it follow within seconds, each with its file.updated; until then their records show the former Label.
         */
        put: operations["updateShare"];
        post?: never;
        /**
         * Delete a share
         * @description For good: there is no way to restore it. Files that name it lose it within seconds, each with its file.updated.
         */
        delete: operations["deleteShare"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/modules/iabcategories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the IAB categories
         * @description The Content Taxonomy 1.0 of the IAB Tech Lab (CC BY 3.0), which advertising systems know; nobody can change it. The metadata of a file names its categories by Id or IABId.
         */
        get: operations["listIabCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/projects/{projectId}/files/{fileId}/playouts/sign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign the playout of a file for viewers
         * @description Links that work until a time of your choice, for projects with TokenSecurity, where the public ones answer 403. They show what viewers may see: unlike a preview, they answer 404 unless the file is published.
         */
        post: operations["signPlayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/projects/{projectId}/files/{fileId}/playouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the playouts of a file
         * @description The public URLs, which answer once the file is published, and preview URLs, which play it for 6 hours whatever its release status.
         */
        get: operations["listPlayouts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/modules/playlists/{playlistId}/playouts/sign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign the playout of a playlist for viewers
         * @description Links that work until a time of your choice, for projects with TokenSecurity, where the public ones answer 403. They open the playlist, its feeds and its elements, and show what viewers may see: they answer 404 unless the playlist is published, and leave out elements that are not. Needs files:read too, because the links open files.
         */
        post: operations["signPlaylistPlayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/modules/playlists/{playlistId}/playouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the playouts of a playlist
         * @description The public URLs, which answer once the playlist is published, and preview URLs, which play it for 6 hours with all of its elements, released or not; these need files:read too.
         */
        get: operations["listPlaylistPlayouts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/projects/{projectId}/live/ingest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the ingest of a live stream
         * @description Each project has one live stream; its key is made when it is first asked for. Key and passphrase are shown to those who have live:keys, and null to others.
         */
        get: operations["getLiveIngest"];
        /**
         * Update the ingest of a live stream
         * @description Partial: absent fields stay as they are, null is the default. IsEnabled false ends what goes on. UseLowLatency, TimeshiftDuration, AutomaticTranscoding, Renditions and StreamInType take effect with the next broadcast.
         */
        put: operations["updateLiveIngest"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/projects/{projectId}/live/ingest/resetkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset the stream key
         * @description A new stream key and a new SRT passphrase. The old ones open nothing any more, and whoever sends with them is cut off at once; who comes back with the new ones within ReconnectWindow goes on with the same broadcast.
         */
        post: operations["resetLiveKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/projects/{projectId}/live/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of a live stream
         * @description Who sends what, how well it arrives, how many watch, and what to mend. Measured at this moment by the live node; what it cannot say is null.
         */
        get: operations["getLiveStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/projects/{projectId}/live/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a live stream
         * @description Ends the broadcast and cuts the publisher off. Its key still opens the stream: an encoder that connects again begins a new broadcast, unless IsEnabled is false or the key was reset.
         */
        post: operations["stopLive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/projects/{projectId}/live/recording/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a recording
         * @description From now on the broadcast is kept, until it ends or the recording is stopped; then it becomes a file of the project. Does nothing where it is recorded already.
         */
        post: operations["startLiveRecording"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/projects/{projectId}/live/recording/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop the recording
         * @description What was recorded becomes a file of the project (`recording.finished`); the broadcast goes on. Does nothing where nothing is recorded.
         */
        post: operations["stopLiveRecording"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/projects/{projectId}/live/clip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Keep the last seconds
         * @description Makes the last seconds of the broadcast a file of the project, while the broadcast goes on. The clip begins at a key frame. It is listed among the recordings and sends `recording.finished`.
         */
        post: operations["clipLive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/projects/{projectId}/live/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the log of a live stream
         * @description Newest first: connects, refusals with their reasons, warnings, ends. Kept as long as events are.
         */
        get: operations["listLiveLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/projects/{projectId}/live/recordings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the recordings of a live stream
         * @description Recordings and clips, newest first; `Kind` tells them apart. A finished one is the file `FileId` of the project.
         */
        get: operations["listLiveRecordings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/projects/{projectId}/live/targets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the targets of a live stream
         * @description Where the stream is pushed on to while it is live; newest first.
         */
        get: operations["listLiveTargets"];
        put?: never;
        /**
         * Push a live stream on to another platform
         * @description By RTMP or RTMPS, as it arrives, from now on and whenever the stream is live. A target that fails is tried again; the stream itself is not touched by it. The stream key is not shown again.
         */
        post: operations["createLiveTarget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/projects/{projectId}/live/targets/{targetId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a target of a live stream
         * @description Its settings; how it is doing stands in the status of the stream.
         */
        get: operations["getLiveTarget"];
        /**
         * Update a target of a live stream
         * @description Partial: absent fields stay as they are. Takes effect at once.
         */
        put: operations["updateLiveTarget"];
        post?: never;
        /**
         * Delete a target of a live stream
         * @description For good, at once: nothing is pushed to it any more.
         */
        delete: operations["deleteLiveTarget"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/projects/{projectId}/live/output": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the output of a live stream
         * @description The public URLs, which answer while the stream is published, embed codes, and preview URLs, which play it for 6 hours whatever its release status.
         */
        get: operations["getLiveOutput"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/projects/{projectId}/live/output/sign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign the output of a live stream for viewers
         * @description Links that work until a time of your choice, for projects with TokenSecurity, where the public ones answer 403. They show what viewers may see: unlike a preview, they answer 404 unless the stream is published.
         */
        post: operations["signLiveOutput"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description The people of the account with their roles, newest first.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create a user
         * @description A new user has no password and no key, and so no way in yet: give it an API key with POST /apikeys and UserId, or the person a link with POST /users/{userId}/passwordlink. POST /invitations does both steps at once. Nobody can hand out a role that allows more than the calling key.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a user
         * @description Roles, state and the number of live API keys of one user. The ETag does not follow LastSignInAt and ApiKeyCount.
         */
        get: operations["getUser"];
        /**
         * Update a user
         * @description Partial: absent fields stay as they are, null clears; ProjectRoles is replaced as a whole. What is taken away is gone on every node within two seconds, also from keys that exist. The last enabled Administrator stays one.
         */
        put: operations["updateUser"];
        post?: never;
        /**
         * Delete a user
         * @description Revokes all keys and ends all sessions of the user at once, for good. Nobody can delete themselves or the last enabled Administrator.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tell who I am
         * @description The account, user and key of the caller with all that it may do. Every live key may ask; a good first call to see whether a key works. The ETag does not follow LastSignInAt, ApiKeyCount and LastUsedAt.
         */
        get: operations["getMe"];
        /**
         * Change my name
         * @description Partial: an absent Name stays as it is, null clears it. Everybody who is signed in may do it; with an API key it needs users:write. Address, roles and state are changed by an Administrator with PUT /users/{userId}, the password with PUT /session/password.
         */
        put: operations["updateMe"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tell who is signed in
         * @description The user of the session cookie with all rights, and the CsrfToken that changes need. A request with an API key has no session: 404.
         */
        get: operations["getSession"];
        put?: never;
        /**
         * Sign in with a password
         * @description With e-mail address and password. The session is kept in a cookie that scripts cannot read; changes made with it also need the CsrfToken of this answer as X-CSRF-Token. After several failures each further attempt must wait, a minute at most; so must more than 30 sign-ins a minute. Retry-After says how long. The session that the browser had before ends, and so does the oldest of more than 50.
         */
        post: operations["signIn"];
        /**
         * Sign out
         * @description Ends the session of the cookie, and takes the cookie back.
         */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sessions
         * @description Where I am signed in, newest first; with userId, where other users are. That, and to ask with an API key, needs users:read.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/sessions/{sessionUuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session
         * @description One of mine, or one of another user. That, and to do it with an API key, needs users:write. Refused within two seconds by every node.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/session/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change my password
         * @description In a session only, and with the password of before. All other sessions of the user end, and links for a forgotten password; API keys stay.
         */
        put: operations["changePassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invitations
         * @description Invitations and password links, newest first; never the links themselves.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite somebody
         * @description Makes a link by which one person becomes a user, with a password of their own choice. It works once, within seven days, and is shown only in this answer: hand it over yourself. Nobody can hand out a role that allows more than the calling key, and a key that ends can invite nobody. When the key or user that made it may not do so any more, the link opens nothing. A new invitation for an address takes the one before it back.
         */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/invitations/{invitationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an invitation
         * @description For whom it is and what came of it; never the link itself.
         */
        get: operations["getInvitation"];
        put?: never;
        post?: never;
        /**
         * Revoke an invitation
         * @description Its link opens nothing any more. One that was accepted stays what it was: 409.
         */
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/users/{userId}/passwordlink": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a user choose a new password
         * @description Makes a link by which this user chooses a password: a new user the first one, or one who has forgotten it another one. It works once, within seven days, and is shown only in this answer. It needs all rights that the user has, and a key that does not end. A link before it, a new address or a new password take it back.
         */
        post: operations["createPasswordLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the log of administrative acts
         * @description Who changed users, keys, sessions, projects, catalog, webhooks and partners, who signed in and who was refused, newest first. An entry is written in the transaction of its act, so that none is missing. It tells fields before and after, never secrets.
         */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what is kept
         * @description Bytes by kind, files and playable seconds, of the whole account, of some of its projects, or of those that the key sees; and the same day by day, for charts.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/usage/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what each project keeps
         * @description The largest first.
         */
        get: operations["listProjectUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/usage/catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List by how many files each category, video type and share is used
         * @description Of all projects that the key sees. What is deleted leaves these files.
         */
        get: operations["listCatalogUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/encodings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the encode queue
         * @description The files whose renditions are still being made, waiting and running, of all projects that the key sees. Higher EncodingPriority goes first, then what has waited longer; the priority of a file can be changed (`updateFile`).
         */
        get: operations["listEncodings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/apikeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description The keys of all users of the account, newest first, revoked ones too; never the tokens themselves.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description For the calling user, or for another one with UserId. It can never do more than the key that creates it, nor more than its user, nor outlive it: without ExpiresAt it ends with the calling key. The token is shown only in this answer.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/apikeys/{keyUuid}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace an API key by a new one
         * @description Answers a new key with the same label, user, scopes and projects. The new one lives as long as the old one was given, but ends with the calling key at the latest. The old one works on for OverlapSeconds, so that your systems can change over without a gap.
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/apikeys/{keyUuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an API key
         * @description What the key may do and when it was last used; never the token itself. The ETag does not follow LastUsedAt.
         */
        get: operations["getApiKey"];
        /**
         * Update an API key
         * @description Partial. Scopes and ProjectIds can only be narrowed. ExpiresAt can be moved, but not beyond the end that was written into the token when it was created, nor later than the end of the calling key. Takes effect on every node within two seconds.
         */
        put: operations["updateApiKey"];
        post?: never;
        /**
         * Revoke an API key
         * @description Refused at once by this process and within two seconds by every other.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/modules/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Newest first; with `orderBy=health` those that fail come first. A key that is restricted to projects sees the webhooks of these projects.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description From now on each matching event is posted to TargetURL, signed with the secret; the section Webhooks shows what arrives. The answer holds the secret, which is not shown again.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/modules/notifications/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description Its settings, why it was disabled where it was, and the last characters of its secret.
         */
        get: operations["getWebhook"];
        /**
         * Update a webhook
         * @description Partial: absent fields stay as they are, null clears. A disabled webhook gets no new deliveries and keeps those that wait; enabling it sends them at once, in their order. `discard=true` cancels them instead. IsEnabled true, and another TargetURL, end a pause of deliveries and forget the failures before.
         */
        put: operations["updateWebhook"];
        post?: never;
        /**
         * Delete a webhook
         * @description For good, at once: what is not delivered yet is cancelled.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/modules/notifications/{webhookId}/rotatesecret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret of a webhook
         * @description For 24 hours requests are signed with the old secret too, so that receivers can change over.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/modules/notifications/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Emits webhook.ping for this webhook alone, whatever it subscribes to. Get the delivery a moment later to see what came of it.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/modules/notifications/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook
         * @description What was, or is to be, sent to this webhook: newest first, each with what its last attempt came to. Every filter narrows the list further.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/modules/notifications/{webhookId}/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery
         * @description One delivery with all its attempts: when, how long, the status, and the first 4 KiB of each answer.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/modules/notifications/{webhookId}/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again
         * @description With the same webhook-id and a new schedule of attempts. One that waits is brought forward.
         */
        post: operations["redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/modules/notifications/{webhookId}/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See how an endpoint answers
         * @description Whether requests succeed, what the last failure was, whether deliveries pause, and how many wait.
         */
        get: operations["getWebhookHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/modules/notifications/{webhookId}/health/hours": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See how an endpoint has answered by the hour
         * @description How many requests were delivered and how many failed in each of the last 48 hours, and how long the endpoint took to answer.
         */
        get: operations["getWebhookHours"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/modules/notifications/{webhookId}/inspectedrequests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what the inspector received
         * @description The requests of a webhook whose TargetURL is `zoetrope:inspector`, whole and with the verdict on their signature, newest first: the last 50 of the last hour.
         */
        get: operations["listInspectedRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/modules/notifications/{webhookId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the events of a time range again
         * @description After an outage of your side, or for a new system that wants to know what happened before. Each stored event of the range that this webhook wants gets a new delivery, in the order in which they happened, with the record of that time. What still waits for the webhook is brought forward, in its order. The webhook-id is that of the first delivery: receivers that drop repeats take only what they have not seen. Tests are not repeated. Get the replay to see how far it is. One replay of a webhook runs at a time: 409 until then.
         */
        post: operations["replayEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/modules/notifications/{webhookId}/replays/{replayId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a replay
         * @description How many events it is about and how many deliveries are made by now.
         */
        get: operations["getReplay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/modules/partners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get partners and services
         * @description The identity provider with its state, and the client key.
         */
        get: operations["getPartners"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/modules/partners/identityprovider": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the identity provider
         * @description Its settings without the secret, whether it works, and the keys that sign deliveries.
         */
        get: operations["getIdentityProvider"];
        /**
         * Connect an identity provider, or change the connection
         * @description Its discovery document, its key set and a token are tried first: what fails is answered with 400 and nothing changes. From then on every delivery of the account carries a token of the provider and a Webhook-Identity, and none leaves without. With `SignIn` people of the account may sign in by it. Partial: absent fields stay as they are, null clears.
         */
        put: operations["connectIdentityProvider"];
        post?: never;
        /**
         * Disconnect the identity provider
         * @description Its secret is forgotten at once. Deliveries go on with the signature of the webhook alone, those that were held too.
         */
        delete: operations["disconnectIdentityProvider"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/modules/partners/identityprovider/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test the identity provider
         * @description Discovery, key set, a token and, where people sign in by it, the client for that, with the stored settings. Success mends a connection that was broken: what was held is delivered.
         */
        post: operations["testIdentityProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/modules/partners/signingkeys/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the key that signs deliveries
         * @description The next key is published at once and signs ten minutes later; the former one stays published for another hour. This happens by itself every 90 days. With `IsCompromised` all present keys are gone at once and a new one signs within two seconds.
         */
        post: operations["rotateSigningKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/modules/partners/clientkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a client key
         * @description For private_key_jwt. Enter its public half, or its key set, at the provider and then connect: until that succeeds a former key stays in use.
         */
        post: operations["createClientKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description The log of the account, each event as the webhooks carry it. Without `after` the newest first, as in every list; with `after` oldest first, which is the way to poll: no event is ever skipped, also while others are being written, and `TotalCount` is how many are still to come. Events are kept for 30 days unless the operator chose otherwise; an `after` that is older begins with the oldest that is kept. A key of certain projects sees their events alone, and `webhook.ping` is shown to those who may read webhooks.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/events/{eventId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an event
         * @description One event of the log, for example the one that a webhook named by its EventId.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow events as they happen
         * @description A stream of server-sent events (`text/event-stream`): `id` is the EventId, `event` the name, `data` the event as JSON. It stays open; a comment every 15 s shows that it lives. After a break send the last id as `Last-Event-ID` (browsers and most libraries do that by themselves): nothing is lost, nothing repeated. A reader that falls more than 1 MiB behind is cut off and goes on in the same way. It ends when the key is revoked or the session ends, when the rights change, and when the server stops. At most 20 streams of one key or user at a time on each node.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/projects/{projectId}/files/{fileId}/replace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Replace the source of a file
         * @description A new version of a video under the same id and the same playout URLs. Takes the new source in the same ways as an upload: JSON answers an upload URL, or has a SourceURI to fetch it from; multipart/form-data (part `file`) and raw bodies bring the bytes at once. Metadata and pictures that were chosen by hand stay. The old version goes on playing until the new one is encoded; then it is swapped in whole and `file.replaced` is sent. When the new source cannot be used, the old version plays on and the file is `degraded` with an ErrorMessage. A later replacement takes the place of one whose upload is not complete; while a file is being processed the answer is 409. Needs files:upload, and files:write for files of others.
         */
        put: operations["replaceFile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/projects/{projectId}/tus": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file with a tus client
         * @description The endpoint for clients that know only tus 1.0 (Uppy, tus-js-client: `endpoint`). Send Tus-Resumable: 1.0.0 with Upload-Length or Upload-Defer-Length: 1; Upload-Metadata may hold filename, title, description, externalId, and metadata (JSON like `Metadata` of a file). `Location` is the upload URL: HEAD, PATCH and DELETE on it need no API key. Extensions: creation, creation-with-upload, creation-defer-length, expiration, checksum, termination, concatenation. Browsers should not hold API keys: create the file as JSON in your back end and give them `Upload.TusURI` instead.
         */
        post: operations["createTusUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/projects/{projectId}/files/{fileId}/captions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the subtitles, captions and chapters of a file
         * @description All languages and kinds. The record of the file holds the same list.
         */
        get: operations["listCaptions"];
        put?: never;
        /**
         * Add subtitles, captions or chapters to a file
         * @description WebVTT or SubRip in UTF-8: as JSON with Content, as the raw text (text/vtt, application/x-subrip or text/plain) with `language` in the query, or as multipart/form-data (part `file`, and Language, Label, Kind, IsDefault). What is wrong in the text is told with its line. One of each kind in a language: 409 where there is one already. Players show it at the next start. Chapters are WebVTT alone, and stand in the player of the embed page, not in HLS and DASH.
         */
        post: operations["createCaption"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/projects/{projectId}/files/{fileId}/captions/{captionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get subtitles or captions of a file
         * @description Language, kind and where the text lies.
         */
        get: operations["getCaption"];
        /**
         * Update subtitles or captions of a file
         * @description Partial: absent fields stay as they are, null goes back to the default. A new Content takes the place of the text, under a new URI.
         */
        put: operations["updateCaption"];
        post?: never;
        /**
         * Delete subtitles or captions of a file
         * @description Gone for good, at once.
         */
        delete: operations["deleteCaption"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/projects/{projectId}/files/{fileId}/pictures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the pictures of a file
         * @description Newest first; one of them is the standard picture, which the metadata of the file shows.
         */
        get: operations["listPictures"];
        put?: never;
        /**
         * Add a picture to a file
         * @description As JSON with Position: takes the frame that is to be seen at that time of the video. As raw body (image/jpeg, image/png, image/webp) or as multipart/form-data (part `file`, optional IsStandard): an upload of 20 MiB and 50 megapixels at most. What counts is what the bytes are; every picture is drawn anew as JPEG, upright and without metadata. It becomes the standard picture unless IsStandard says otherwise. The answer comes when the picture is there; 503 when no worker is free to make it.
         */
        post: operations["createPicture"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/projects/{projectId}/files/{fileId}/pictures/{filePictureId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a picture of a file
         * @description Where it lies, its shape, and whether it is the standard one.
         */
        get: operations["getPicture"];
        /**
         * Make a picture the standard one
         * @description IsStandard: true puts it into the place of the present standard picture. A standard picture gives its place up only to another one.
         */
        put: operations["updatePicture"];
        post?: never;
        /**
         * Delete a picture of a file
         * @description Gone for good, at once. The newest of the others takes the place of a standard picture; without another one the file has none.
         */
        delete: operations["deletePicture"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/projects/{projectId}/watermark": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the watermark of a project
         * @description The picture and how it is drawn; 404 where the project has none.
         */
        get: operations["getWatermark"];
        /**
         * Set the watermark of a project
         * @description Burnt into everything that is encoded from now on; files that are there already get it by `retry` with force=true. Nothing is served from the source as it is any more. As JSON: any of the fields. As raw body (image/png) or multipart/form-data (part `file`): the picture alone. A PNG of 512 KiB and a million pixels at most; what counts is what the bytes are.
         */
        put: operations["updateWatermark"];
        post?: never;
        /**
         * Delete the watermark of a project
         * @description Gone for good, at once; what was encoded with it keeps it until it is encoded again.
         */
        delete: operations["deleteWatermark"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/projects/{projectId}/logo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the logo of the player
         * @description Stands in a corner of all players of the project, its live stream and its own playlists included, and is `PlayerTheme.Logo` of it. As JSON: any of the fields. As raw body (image/png, image/jpeg, image/webp) or multipart/form-data (part `file`): the picture alone. 512 KiB at most; what counts is what the bytes are. A worker draws it anew, in 640 × 320 pixels at most, without anything that hides in it; 503 when no worker is free.
         */
        put: operations["updateLogo"];
        post?: never;
        /**
         * Take the logo off the player
         * @description Gone for good; pages that are open keep it until they are loaded again.
         */
        delete: operations["deleteLogo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/session/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation
         * @description Chooses the password that the link of an invitation, or of a forgotten password, asks for, and signs in. The link works no second time; sessions of before end. After five attempts each further one must wait, a minute at most.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/session/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in by the link of the terminal
         * @description With the token of the link that `./zoetrope up` prints on a terminal: it signs in the first administrator once, within ten minutes.
         */
        post: operations["signInByLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "file.new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A new file is there: uploaded and encoded. Sent once in the life of a file.
         * @description Sent to each webhook that subscribes to `file.new`, `file.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onFileNew"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "file.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The record of a file was made; its bytes are still missing.
         * @description Sent to each webhook that subscribes to `file.created`, `file.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onFileCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "file.uploaded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * All bytes of a file have arrived and were found to be video or audio.
         * @description Sent to each webhook that subscribes to `file.uploaded`, `file.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onFileUploaded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "file.encoding": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Encoding has begun.
         * @description Sent to each webhook that subscribes to `file.encoding`, `file.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onFileEncoding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "file.playable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Something of the file can be played; better renditions follow.
         * @description Sent to each webhook that subscribes to `file.playable`, `file.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onFilePlayable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "file.encoded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * All renditions are done.
         * @description Sent to each webhook that subscribes to `file.encoded`, `file.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onFileEncoded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "file.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Processing has ended with an error: nothing can be played, or some renditions are missing.
         * @description Sent to each webhook that subscribes to `file.failed`, `file.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onFileFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "file.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Metadata, pictures, captions or settings of a file were changed.
         * @description Sent to each webhook that subscribes to `file.updated`, `file.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onFileUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "file.released": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Viewers can load the file from now on: it is published, inside its publication window and playable.
         * @description Sent to each webhook that subscribes to `file.released`, `file.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onFileReleased"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "file.unreleased": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Viewers can no longer load the file: it was taken back or deleted, or its publication window has ended.
         * @description Sent to each webhook that subscribes to `file.unreleased`, `file.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onFileUnreleased"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "file.replaced": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * New media took the place of the old.
         * @description Sent to each webhook that subscribes to `file.replaced`, `file.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onFileReplaced"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "file.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A file was deleted; it can be restored for a while.
         * @description Sent to each webhook that subscribes to `file.deleted`, `file.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onFileDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "file.restored": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A deleted file is back.
         * @description Sent to each webhook that subscribes to `file.restored`, `file.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onFileRestored"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "live.connected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A publisher was accepted; there is nothing to see yet.
         * @description Sent to each webhook that subscribes to `live.connected`, `live.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onLiveConnected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "live.started": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A broadcast is on the air: viewers can see it.
         * @description Sent to each webhook that subscribes to `live.started`, `live.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onLiveStarted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "live.warning": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Something is wrong with what the publisher sends; `Live.Warning` says what.
         * @description Sent to each webhook that subscribes to `live.warning`, `live.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onLiveWarning"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "live.disconnected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The publisher was lost; the broadcast waits for it for the time of ReconnectWindow.
         * @description Sent to each webhook that subscribes to `live.disconnected`, `live.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onLiveDisconnected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "live.reconnected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The publisher is back; the same broadcast goes on.
         * @description Sent to each webhook that subscribes to `live.reconnected`, `live.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onLiveReconnected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "live.ended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A broadcast is over; `Live.Broadcast` says why.
         * @description Sent to each webhook that subscribes to `live.ended`, `live.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onLiveEnded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "live.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A publisher connected, but nothing could be shown; `Live.Failure` says why.
         * @description Sent to each webhook that subscribes to `live.failed`, `live.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onLiveFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "live.publisher_refused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Another publisher was refused while a broadcast continues; the broadcast is not affected. `Live.Failure` says why.
         * @description Sent to each webhook that subscribes to `live.publisher_refused`, `live.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onLivePublisher_refused"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "recording.started": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A recording has begun; `Live.Recording` describes it. Clips send only `recording.finished`.
         * @description Sent to each webhook that subscribes to `recording.started`, `recording.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onRecordingStarted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "recording.finished": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A recording or a clip is over: `Live.Recording.FileId` is its file, or `Live.Recording.Message` says why there is none.
         * @description Sent to each webhook that subscribes to `recording.finished`, `recording.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onRecordingFinished"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "playlist.new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A playlist was created.
         * @description Sent to each webhook that subscribes to `playlist.new`, `playlist.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onPlaylistNew"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "playlist.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A playlist was changed.
         * @description Sent to each webhook that subscribes to `playlist.updated`, `playlist.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onPlaylistUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "playlist.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A playlist was deleted.
         * @description Sent to each webhook that subscribes to `playlist.deleted`, `playlist.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onPlaylistDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "playlist.restored": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A deleted playlist is back.
         * @description Sent to each webhook that subscribes to `playlist.restored`, `playlist.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onPlaylistRestored"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "project.new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A project was created.
         * @description Sent to each webhook that subscribes to `project.new`, `project.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onProjectNew"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "project.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A project was changed.
         * @description Sent to each webhook that subscribes to `project.updated`, `project.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onProjectUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "project.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A project was deleted, with all that was in it.
         * @description Sent to each webhook that subscribes to `project.deleted`, `project.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onProjectDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "project.restored": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A deleted project is back, with all files that were deleted with it.
         * @description Sent to each webhook that subscribes to `project.restored`, `project.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onProjectRestored"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A test that somebody asked for; it says nothing.
         * @description Sent to each webhook that subscribes to `webhook.ping`, `webhook.*` or `*`. The record is the one at the time of the event.
         */
        post: operations["onWebhookPing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * @description Every answer that is neither 2xx nor 3xx has this shape.
         * @example {
         *       "error": {
         *         "code": 404,
         *         "message": "File 5 does not exist in project 3.",
         *         "type": "not_found",
         *         "requestId": "b2f7"
         *       }
         *     }
         */
        Error: {
            error: {
                /**
                 * Format: int32
                 * @description The HTTP status.
                 */
                code: number;
                /** @description What is wrong and what would be right. */
                message: string;
                /**
                 * @description A stable slug for programs.
                 * @enum {string}
                 */
                type: "invalid" | "unsupported_media_type" | "unauthorized" | "key_expired" | "forbidden" | "not_found" | "method_not_allowed" | "timeout" | "conflict" | "stale" | "too_large" | "quota_exceeded" | "range_not_satisfiable" | "rate_limited" | "internal" | "unavailable" | "storage_full";
                details?: {
                    field: string;
                    issue: string;
                }[];
                requestId?: string;
            };
        };
        /**
         * @description A folder of media with settings of its own.
         * @example {
         *       "Id": 3,
         *       "ExternalId": "campaign-2026",
         *       "Name": "Spring campaign",
         *       "Description": "Films for the shops",
         *       "DefaultReleaseStatus": "unpublished",
         *       "TokenSecurity": false,
         *       "AllowedDomains": [
         *         "www.example.com"
         *       ],
         *       "PlayerTheme": {
         *         "Color": "#e0457b",
         *         "Logo": null
         *       },
         *       "EncoderSettings": {
         *         "UseEncoding": true,
         *         "EncodingPriority": 50,
         *         "Renditions": [],
         *         "VideoCodecs": [
         *           "h264"
         *         ],
         *         "NormalizeLoudness": false,
         *         "KeepOriginal": true
         *       },
         *       "MetadataFields": [],
         *       "IsLive": false,
         *       "FileCount": 12,
         *       "StorageBytes": 1204882113,
         *       "StorageQuotaBytes": null,
         *       "IsEnabled": true,
         *       "IsRestoring": false,
         *       "CreatedAt": "2026-03-01T11:40:00+00:00",
         *       "LastUpdateAt": "2026-03-01T12:00:00+00:00",
         *       "DeletedAt": null,
         *       "PurgeAt": null
         *     }
         */
        Project: {
            /** Format: int64 */
            Id: number;
            ExternalId: string | null;
            /** @example Spring campaign */
            Name: string;
            Description: string;
            /** @description Viewers get media only when it is published. */
            DefaultReleaseStatus: "draft" | "unpublished" | "published";
            TokenSecurity: boolean;
            AllowedDomains: string[];
            /** @description How the player looks, wherever the page does not ask for something else. */
            PlayerTheme: {
                Color: string | null;
                Logo: {
                    /** @description The picture as viewers get it. What lies under it never changes: another picture has another URI. */
                    URI: string;
                    /**
                     * Format: int64
                     * @description Of the picture, in pixels.
                     */
                    Width: number;
                    /**
                     * Format: int64
                     * @description Of the picture, in pixels.
                     */
                    Height: number;
                    /** @description The corner of the player. Default top-right: the title stands on the left. */
                    Position: "top-left" | "top-right" | "bottom-left" | "bottom-right";
                    Link: string | null;
                } | null;
            };
            /** @description Encoder settings. */
            EncoderSettings: {
                /** @description False packages sources without transcoding where their codecs allow it. */
                UseEncoding?: boolean;
                /**
                 * Format: int32
                 * @description Higher first.
                 */
                EncodingPriority?: number;
                /** @description Overrides the default ladder; empty = default. */
                Renditions?: {
                    /**
                     * Format: int32
                     * @description Short side in pixels; never upscaled.
                     */
                    Height: number;
                    /**
                     * Format: int32
                     * @description Peak, bits per second.
                     */
                    VideoBitRate?: number;
                }[];
                /**
                 * @description Codecs of the ladder. H.264 is always made, first of all; HEVC and AV1 need fewer bits on devices that play them, and much longer to encode.
                 * @example [
                 *       "h264",
                 *       "hevc"
                 *     ]
                 */
                VideoCodecs?: ("h264" | "hevc" | "av1")[];
                /** @description Turns the sound up or down to −16 LUFS (EBU R 128) by one measured gain, without clipping its peaks. The first step then takes longer: the whole sound is measured before anything plays. */
                NormalizeLoudness?: boolean;
                /** @description False removes the source once the file is finished, unless it plays from there. Such a file cannot be encoded again, nor clipped, nor give new stills. */
                KeepOriginal?: boolean;
            };
            MetadataFields: {
                /** @description Unique; `adsDisabled` is taken. */
                Name: string;
                /**
                 * @description `date` is a day (2026-03-01), `datetime` a point in time with UTC offset, `list` an array of strings.
                 * @enum {string}
                 */
                Type: "string" | "number" | "integer" | "boolean" | "date" | "datetime" | "list";
                IsRequired?: boolean | null;
                Values?: string[] | null;
                Default?: (string | number | boolean | string[]) | null;
            }[];
            IsLive: boolean;
            /** Format: int64 */
            FileCount: number;
            /** Format: int64 */
            StorageBytes: number;
            StorageQuotaBytes: number | null;
            IsEnabled: boolean;
            /** @description The project was restored, and files that were deleted with it are still on their way back; `project.restored` is sent when all are there. */
            IsRestoring: boolean;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            CreatedAt: string;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            LastUpdateAt: string;
            DeletedAt: string | null;
            PurgeAt: string | null;
        };
        /**
         * @description A video or audio file; the same in answers and webhook payloads.
         * @example {
         *       "Id": 5,
         *       "ProjectId": 3,
         *       "ExternalId": "cms-4711",
         *       "Name": "3/5/interview.mp4",
         *       "Status": "finished",
         *       "IsFinished": true,
         *       "IsEncoded": true,
         *       "IsPlayable": true,
         *       "IsEnabled": true,
         *       "UseEncoding": true,
         *       "EncodingPriority": 50,
         *       "EncodingProgress": 100,
         *       "EstimatedReadyAt": null,
         *       "HasErrors": false,
         *       "ErrorMessage": null,
         *       "Metadata": {
         *         "StandardFilePicture": {
         *           "FilePictureId": 12,
         *           "AspectRatio": "16:9",
         *           "AspectRatioClosest": "16:9",
         *           "URI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/poster.jpg",
         *           "ThumbURI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/thumb.jpg",
         *           "SrcPictureURI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/poster.jpg",
         *           "IsStandard": true,
         *           "ManualUpload": false
         *         },
         *         "Title": "Interview",
         *         "Description": "The mayor on the new bridge.",
         *         "DisplayTitle": "A bridge for everybody",
         *         "DisplayTitleSecondLine": "",
         *         "ReleaseStatus": "published",
         *         "Category": [
         *           {
         *             "Id": 2,
         *             "Label": "News",
         *             "CustomId": "news"
         *           }
         *         ],
         *         "IABCategory": [],
         *         "Share": [],
         *         "Videotype": [],
         *         "Tags": [
         *           "bridge",
         *           "city"
         *         ],
         *         "IsPublicAt": null,
         *         "IsPublicUntil": null,
         *         "Genre": "",
         *         "Series": "",
         *         "NativeLanguage": "en",
         *         "ProgramId": "",
         *         "Rating": "",
         *         "Latitude": null,
         *         "Longitude": null,
         *         "OriginalFileName": "interview.mp4",
         *         "CustomMetadata": {
         *           "adsDisabled": false
         *         }
         *       },
         *       "Properties": {
         *         "Length": 92.48,
         *         "Size": 48213004,
         *         "VideoFormat": "h264",
         *         "VideoBitRate": 4035120,
         *         "VideoWidth": 1920,
         *         "VideoHeight": 1080,
         *         "VideoFPS": 25,
         *         "AudioFormat": "aac",
         *         "AudioBitRate": 128000,
         *         "AudioSampleRate": 48000,
         *         "AudioChannels": 2
         *       },
         *       "Renditions": [
         *         {
         *           "Id": 31,
         *           "Name": "360p",
         *           "Type": "video",
         *           "Language": null,
         *           "Label": null,
         *           "IsComplete": true,
         *           "Codec": "avc1.64001e",
         *           "Width": 640,
         *           "Height": 360,
         *           "FPS": 25,
         *           "BitRate": 612400,
         *           "PeakBitRate": 940100,
         *           "Size": 7079344
         *         }
         *       ],
         *       "Playouts": [
         *         {
         *           "Id": "0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
         *           "Label": "Default",
         *           "IsDefault": true,
         *           "HLS": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.m3u8",
         *           "DASH": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.mpd",
         *           "MP4": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/download.mp4",
         *           "EmbedURI": "https://video.example.com/embed/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
         *           "Storyboard": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/storyboard.vtt",
         *           "M4A": null,
         *           "ThumbnailURI": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/thumbnail.jpg",
         *           "AnimatedURI": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/animated.webp"
         *         }
         *       ],
         *       "Captions": [],
         *       "Checksum": null,
         *       "Source": {
         *         "Kind": "upload",
         *         "URI": null
         *       },
         *       "CreatedBy": 7,
         *       "Timings": {
         *         "UploadedAt": "2026-03-01T12:00:00+00:00",
         *         "PlayableAt": "2026-03-01T12:00:01.204+00:00",
         *         "EncodedAt": "2026-03-01T12:01:07.918+00:00"
         *       },
         *       "CreatedAt": "2026-03-01T11:59:12.031+00:00",
         *       "LastUpdateAt": "2026-03-01T12:01:07.918+00:00",
         *       "DeletedAt": null,
         *       "PurgeAt": null
         *     }
         * @example {
         *       "Id": 5,
         *       "ProjectId": 3,
         *       "ExternalId": "cms-4711",
         *       "Name": "3/5/interview.mp4",
         *       "Status": "created",
         *       "IsFinished": false,
         *       "IsEncoded": false,
         *       "IsPlayable": false,
         *       "IsEnabled": true,
         *       "UseEncoding": true,
         *       "EncodingPriority": 50,
         *       "EncodingProgress": 0,
         *       "EstimatedReadyAt": null,
         *       "HasErrors": false,
         *       "ErrorMessage": null,
         *       "Metadata": {
         *         "StandardFilePicture": null,
         *         "Title": "Interview",
         *         "Description": "The mayor on the new bridge.",
         *         "DisplayTitle": "A bridge for everybody",
         *         "DisplayTitleSecondLine": "",
         *         "ReleaseStatus": "unpublished",
         *         "Category": [
         *           {
         *             "Id": 2,
         *             "Label": "News",
         *             "CustomId": "news"
         *           }
         *         ],
         *         "IABCategory": [],
         *         "Share": [],
         *         "Videotype": [],
         *         "Tags": [
         *           "bridge",
         *           "city"
         *         ],
         *         "IsPublicAt": null,
         *         "IsPublicUntil": null,
         *         "Genre": "",
         *         "Series": "",
         *         "NativeLanguage": "en",
         *         "ProgramId": "",
         *         "Rating": "",
         *         "Latitude": null,
         *         "Longitude": null,
         *         "OriginalFileName": "interview.mp4",
         *         "CustomMetadata": {
         *           "adsDisabled": false
         *         }
         *       },
         *       "Properties": null,
         *       "Renditions": [],
         *       "Playouts": [
         *         {
         *           "Id": "0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
         *           "Label": "Default",
         *           "IsDefault": true,
         *           "HLS": null,
         *           "DASH": null,
         *           "MP4": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/download.mp4",
         *           "EmbedURI": null,
         *           "Storyboard": null,
         *           "M4A": null,
         *           "ThumbnailURI": null,
         *           "AnimatedURI": null
         *         }
         *       ],
         *       "Captions": [],
         *       "Checksum": null,
         *       "Source": {
         *         "Kind": "upload",
         *         "URI": null
         *       },
         *       "CreatedBy": 7,
         *       "Timings": {
         *         "UploadedAt": null,
         *         "PlayableAt": null,
         *         "EncodedAt": null
         *       },
         *       "CreatedAt": "2026-03-01T11:59:12.031+00:00",
         *       "LastUpdateAt": "2026-03-01T11:59:12.031+00:00",
         *       "DeletedAt": null,
         *       "PurgeAt": null
         *     }
         */
        File: {
            /** Format: int64 */
            Id: number;
            /** Format: int64 */
            ProjectId: number;
            ExternalId: string | null;
            /** @description Stored name. */
            Name: string;
            Status: "created" | "uploaded" | "encoding" | "playable" | "finished" | "failed" | "degraded";
            /** @description All processing is done. */
            IsFinished: boolean;
            /** @description Encoded and usable. */
            IsEncoded: boolean;
            IsPlayable: boolean;
            IsEnabled: boolean;
            UseEncoding: boolean;
            /** Format: int32 */
            EncodingPriority: number;
            /** Format: int32 */
            EncodingProgress: number;
            EstimatedReadyAt: string | null;
            HasErrors: boolean;
            ErrorMessage: string | null;
            Metadata: {
                StandardFilePicture: {
                    /** Format: int64 */
                    FilePictureId: number;
                    /** @example 16:9 */
                    AspectRatio: string;
                    /** @example 16:9 */
                    AspectRatioClosest: string;
                    /** Format: uri */
                    URI: string;
                    /** Format: uri */
                    ThumbURI: string;
                    /** Format: uri */
                    SrcPictureURI: string;
                    /** @description Stands for the file in lists and players. */
                    IsStandard: boolean;
                    /** @description Uploaded by somebody, not taken of the video. */
                    ManualUpload: boolean;
                } | null;
                Title: string;
                Description: string;
                DisplayTitle: string;
                DisplayTitleSecondLine: string;
                /** @description Viewers get media only when it is published. */
                ReleaseStatus: "draft" | "unpublished" | "published";
                Category: {
                    /** Format: int64 */
                    Id: number;
                    Label: string;
                    CustomId: string;
                }[];
                IABCategory: {
                    /** Format: int64 */
                    Id: number;
                    Label: string;
                    IABId: string;
                }[];
                Share: {
                    /** Format: int64 */
                    Id: number;
                    Label: string;
                }[];
                Videotype: {
                    /** Format: int64 */
                    Id: number;
                    Label: string;
                }[];
                Tags: string[];
                IsPublicAt: string | null;
                IsPublicUntil: string | null;
                Genre: string;
                Series: string;
                NativeLanguage: string;
                ProgramId: string;
                Rating: string;
                Latitude: number | null;
                Longitude: number | null;
                OriginalFileName: string;
                CustomMetadata: {
                    adsDisabled: boolean;
                } & {
                    [key: string]: unknown;
                };
            };
            Properties: {
                Length: number | null;
                /**
                 * Format: int64
                 * @description Bytes.
                 */
                Size: number;
                VideoFormat: string | null;
                VideoBitRate: number | null;
                VideoWidth: number | null;
                VideoHeight: number | null;
                VideoFPS: number | null;
                AudioFormat: string | null;
                AudioBitRate: number | null;
                AudioSampleRate: number | null;
                AudioChannels: number | null;
            } | null;
            Renditions: {
                /** Format: int64 */
                Id: number;
                /** @example 720p */
                Name: string;
                Type: "video" | "audio";
                Language: string | null;
                Label: string | null;
                IsComplete: boolean;
                /**
                 * @description RFC 6381.
                 * @example avc1.64001f
                 */
                Codec: string;
                Width: number | null;
                Height: number | null;
                FPS: number | null;
                /**
                 * Format: int64
                 * @description Average, bits per second.
                 */
                BitRate: number;
                /**
                 * Format: int64
                 * @description Bits per second.
                 */
                PeakBitRate: number;
                /**
                 * Format: int64
                 * @description Bytes.
                 */
                Size: number;
            }[];
            Playouts: {
                /** Format: uuid */
                Id: string;
                Label: string;
                IsDefault: boolean;
                HLS: string | null;
                DASH: string | null;
                MP4: string | null;
                EmbedURI: string | null;
                Storyboard: string | null;
                M4A: string | null;
                ThumbnailURI: string | null;
                AnimatedURI: string | null;
            }[];
            Captions: {
                /** Format: int64 */
                Id: number;
                /** @description BCP 47. */
                Language: string;
                /** @description What people read in the menu of the player. */
                Label: string;
                /** @description captions also tell of sounds, for those who do not hear them; chapters are titles for parts of the video, which the player marks and lists. */
                Kind: "subtitles" | "captions" | "chapters";
                /** @description Shown unless the viewer chooses otherwise. */
                IsDefault: boolean;
                /**
                 * Format: uri
                 * @description WebVTT; answers under the same conditions as the video. Previews: see the playouts.
                 */
                URI: string;
            }[];
            Checksum: string | null;
            Source: {
                /** @description `upload`, `url`, `recording` or `clip`. */
                Kind: string;
                URI: string | null;
            };
            CreatedBy: number | null;
            Timings: {
                UploadedAt: string | null;
                PlayableAt: string | null;
                EncodedAt: string | null;
            };
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            CreatedAt: string;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            LastUpdateAt: string;
            DeletedAt: string | null;
            PurgeAt: string | null;
        };
        /**
         * @description A file, and after JSON where its bytes go.
         * @example {
         *       "Id": 5,
         *       "ProjectId": 3,
         *       "ExternalId": "cms-4711",
         *       "Name": "3/5/interview.mp4",
         *       "Status": "created",
         *       "IsFinished": false,
         *       "IsEncoded": false,
         *       "IsPlayable": false,
         *       "IsEnabled": true,
         *       "UseEncoding": true,
         *       "EncodingPriority": 50,
         *       "EncodingProgress": 0,
         *       "EstimatedReadyAt": null,
         *       "HasErrors": false,
         *       "ErrorMessage": null,
         *       "Metadata": {
         *         "StandardFilePicture": null,
         *         "Title": "Interview",
         *         "Description": "The mayor on the new bridge.",
         *         "DisplayTitle": "A bridge for everybody",
         *         "DisplayTitleSecondLine": "",
         *         "ReleaseStatus": "unpublished",
         *         "Category": [
         *           {
         *             "Id": 2,
         *             "Label": "News",
         *             "CustomId": "news"
         *           }
         *         ],
         *         "IABCategory": [],
         *         "Share": [],
         *         "Videotype": [],
         *         "Tags": [
         *           "bridge",
         *           "city"
         *         ],
         *         "IsPublicAt": null,
         *         "IsPublicUntil": null,
         *         "Genre": "",
         *         "Series": "",
         *         "NativeLanguage": "en",
         *         "ProgramId": "",
         *         "Rating": "",
         *         "Latitude": null,
         *         "Longitude": null,
         *         "OriginalFileName": "interview.mp4",
         *         "CustomMetadata": {
         *           "adsDisabled": false
         *         }
         *       },
         *       "Properties": null,
         *       "Renditions": [],
         *       "Playouts": [
         *         {
         *           "Id": "0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
         *           "Label": "Default",
         *           "IsDefault": true,
         *           "HLS": null,
         *           "DASH": null,
         *           "MP4": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/download.mp4",
         *           "EmbedURI": null,
         *           "Storyboard": null,
         *           "M4A": null,
         *           "ThumbnailURI": null,
         *           "AnimatedURI": null
         *         }
         *       ],
         *       "Captions": [],
         *       "Checksum": null,
         *       "Source": {
         *         "Kind": "upload",
         *         "URI": null
         *       },
         *       "CreatedBy": 7,
         *       "Timings": {
         *         "UploadedAt": null,
         *         "PlayableAt": null,
         *         "EncodedAt": null
         *       },
         *       "CreatedAt": "2026-03-01T11:59:12.031+00:00",
         *       "LastUpdateAt": "2026-03-01T11:59:12.031+00:00",
         *       "DeletedAt": null,
         *       "PurgeAt": null,
         *       "Upload": {
         *         "URI": "https://video.example.com/uploads/4x8tq0vS2bq8p5wPjPqkq1y3V2vY6w1m9c1b0n7d5aE",
         *         "TusURI": "https://video.example.com/uploads/4x8tq0vS2bq8p5wPjPqkq1y3V2vY6w1m9c1b0n7d5aE",
         *         "ExpiresAt": "2026-03-02T11:59:12+00:00"
         *       }
         *     }
         */
        CreatedFile: {
            /** Format: int64 */
            Id: number;
            /** Format: int64 */
            ProjectId: number;
            ExternalId: string | null;
            /** @description Stored name. */
            Name: string;
            Status: "created" | "uploaded" | "encoding" | "playable" | "finished" | "failed" | "degraded";
            /** @description All processing is done. */
            IsFinished: boolean;
            /** @description Encoded and usable. */
            IsEncoded: boolean;
            IsPlayable: boolean;
            IsEnabled: boolean;
            UseEncoding: boolean;
            /** Format: int32 */
            EncodingPriority: number;
            /** Format: int32 */
            EncodingProgress: number;
            EstimatedReadyAt: string | null;
            HasErrors: boolean;
            ErrorMessage: string | null;
            Metadata: {
                StandardFilePicture: {
                    /** Format: int64 */
                    FilePictureId: number;
                    /** @example 16:9 */
                    AspectRatio: string;
                    /** @example 16:9 */
                    AspectRatioClosest: string;
                    /** Format: uri */
                    URI: string;
                    /** Format: uri */
                    ThumbURI: string;
                    /** Format: uri */
                    SrcPictureURI: string;
                    /** @description Stands for the file in lists and players. */
                    IsStandard: boolean;
                    /** @description Uploaded by somebody, not taken of the video. */
                    ManualUpload: boolean;
                } | null;
                Title: string;
                Description: string;
                DisplayTitle: string;
                DisplayTitleSecondLine: string;
                /** @description Viewers get media only when it is published. */
                ReleaseStatus: "draft" | "unpublished" | "published";
                Category: {
                    /** Format: int64 */
                    Id: number;
                    Label: string;
                    CustomId: string;
                }[];
                IABCategory: {
                    /** Format: int64 */
                    Id: number;
                    Label: string;
                    IABId: string;
                }[];
                Share: {
                    /** Format: int64 */
                    Id: number;
                    Label: string;
                }[];
                Videotype: {
                    /** Format: int64 */
                    Id: number;
                    Label: string;
                }[];
                Tags: string[];
                IsPublicAt: string | null;
                IsPublicUntil: string | null;
                Genre: string;
                Series: string;
                NativeLanguage: string;
                ProgramId: string;
                Rating: string;
                Latitude: number | null;
                Longitude: number | null;
                OriginalFileName: string;
                CustomMetadata: {
                    adsDisabled: boolean;
                } & {
                    [key: string]: unknown;
                };
            };
            Properties: {
                Length: number | null;
                /**
                 * Format: int64
                 * @description Bytes.
                 */
                Size: number;
                VideoFormat: string | null;
                VideoBitRate: number | null;
                VideoWidth: number | null;
                VideoHeight: number | null;
                VideoFPS: number | null;
                AudioFormat: string | null;
                AudioBitRate: number | null;
                AudioSampleRate: number | null;
                AudioChannels: number | null;
            } | null;
            Renditions: {
                /** Format: int64 */
                Id: number;
                /** @example 720p */
                Name: string;
                Type: "video" | "audio";
                Language: string | null;
                Label: string | null;
                IsComplete: boolean;
                /**
                 * @description RFC 6381.
                 * @example avc1.64001f
                 */
                Codec: string;
                Width: number | null;
                Height: number | null;
                FPS: number | null;
                /**
                 * Format: int64
                 * @description Average, bits per second.
                 */
                BitRate: number;
                /**
                 * Format: int64
                 * @description Bits per second.
                 */
                PeakBitRate: number;
                /**
                 * Format: int64
                 * @description Bytes.
                 */
                Size: number;
            }[];
            Playouts: {
                /** Format: uuid */
                Id: string;
                Label: string;
                IsDefault: boolean;
                HLS: string | null;
                DASH: string | null;
                MP4: string | null;
                EmbedURI: string | null;
                Storyboard: string | null;
                M4A: string | null;
                ThumbnailURI: string | null;
                AnimatedURI: string | null;
            }[];
            Captions: {
                /** Format: int64 */
                Id: number;
                /** @description BCP 47. */
                Language: string;
                /** @description What people read in the menu of the player. */
                Label: string;
                /** @description captions also tell of sounds, for those who do not hear them; chapters are titles for parts of the video, which the player marks and lists. */
                Kind: "subtitles" | "captions" | "chapters";
                /** @description Shown unless the viewer chooses otherwise. */
                IsDefault: boolean;
                /**
                 * Format: uri
                 * @description WebVTT; answers under the same conditions as the video. Previews: see the playouts.
                 */
                URI: string;
            }[];
            Checksum: string | null;
            Source: {
                /** @description `upload`, `url`, `recording` or `clip`. */
                Kind: string;
                URI: string | null;
            };
            CreatedBy: number | null;
            Timings: {
                UploadedAt: string | null;
                PlayableAt: string | null;
                EncodedAt: string | null;
            };
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            CreatedAt: string;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            LastUpdateAt: string;
            DeletedAt: string | null;
            PurgeAt: string | null;
            Upload?: {
                /**
                 * Format: uri
                 * @description PUT the bytes here, whole or in Content-Range chunks; needs no API key.
                 */
                URI: string;
                /**
                 * Format: uri
                 * @description The same upload for clients that speak tus 1.0 (Uppy, tus-js-client: `uploadUrl`); needs no API key.
                 */
                TusURI: string;
                /** Format: date-time */
                ExpiresAt: string;
            };
        };
        /**
         * @description Subtitles, captions or chapters of a file in one language.
         * @example {
         *       "Id": 3,
         *       "Language": "en",
         *       "Label": "English",
         *       "Kind": "subtitles",
         *       "IsDefault": true,
         *       "URI": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/captions/9e1c7ad2-52c4-4f5e-9df1-6b6f0a7a3f55.vtt"
         *     }
         */
        Caption: {
            /** Format: int64 */
            Id: number;
            /** @description BCP 47. */
            Language: string;
            /** @description What people read in the menu of the player. */
            Label: string;
            /** @description captions also tell of sounds, for those who do not hear them; chapters are titles for parts of the video, which the player marks and lists. */
            Kind: "subtitles" | "captions" | "chapters";
            /** @description Shown unless the viewer chooses otherwise. */
            IsDefault: boolean;
            /**
             * Format: uri
             * @description WebVTT; answers under the same conditions as the video. Previews: see the playouts.
             */
            URI: string;
        };
        /**
         * @description A still picture of a file.
         * @example {
         *       "FilePictureId": 12,
         *       "AspectRatio": "16:9",
         *       "AspectRatioClosest": "16:9",
         *       "URI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/poster.jpg",
         *       "ThumbURI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/thumb.jpg",
         *       "SrcPictureURI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/poster.jpg",
         *       "IsStandard": true,
         *       "ManualUpload": false
         *     }
         */
        Picture: {
            /** Format: int64 */
            FilePictureId: number;
            /** @example 16:9 */
            AspectRatio: string;
            /** @example 16:9 */
            AspectRatioClosest: string;
            /** Format: uri */
            URI: string;
            /** Format: uri */
            ThumbURI: string;
            /** Format: uri */
            SrcPictureURI: string;
            /** @description Stands for the file in lists and players. */
            IsStandard: boolean;
            /** @description Uploaded by somebody, not taken of the video. */
            ManualUpload: boolean;
        };
        /**
         * @description A picture that is burnt into what the files of a project are encoded to.
         * @example {
         *       "Picture": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQAAAAA3iMLMAAAADklEQVR4nGP4/5+BFAQA/U4f4cOgO+EAAAAASUVORK5CYII=",
         *       "Position": "top-right",
         *       "Opacity": 70,
         *       "Width": 12,
         *       "PictureWidth": 16,
         *       "PictureHeight": 16,
         *       "LastUpdateAt": "2026-03-01T12:00:00+00:00"
         *     }
         */
        Watermark: {
            /** @description The PNG as a data URI, without its metadata. */
            Picture: string;
            /**
             * Format: int64
             * @description Of the PNG, in pixels.
             */
            PictureWidth: number;
            /**
             * Format: int64
             * @description Of the PNG, in pixels.
             */
            PictureHeight: number;
            /** @description The corner in which it stands. Default bottom-right. */
            Position: "top-left" | "top-right" | "bottom-left" | "bottom-right";
            /**
             * Format: int32
             * @description In percent, over what the picture has itself. Default 100.
             */
            Opacity: number;
            /**
             * Format: int32
             * @description In percent of the width of the video. Default 15.
             */
            Width: number;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            LastUpdateAt: string;
        };
        /**
         * @description What a file is about.
         * @example {
         *       "Id": 5,
         *       "Label": "Nature",
         *       "CustomId": "cms-17",
         *       "IsEnabled": true,
         *       "CreatedAt": "2026-03-01T12:00:00.000+00:00",
         *       "LastUpdateAt": "2026-03-01T12:00:00.000+00:00"
         *     }
         */
        Category: {
            /** Format: int64 */
            Id: number;
            Label: string;
            /** @description Empty where there is none. */
            CustomId: string;
            IsEnabled: boolean;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            CreatedAt: string;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            LastUpdateAt: string;
        };
        /**
         * @description What a file is: a trailer, an interview, a whole episode.
         * @example {
         *       "Id": 5,
         *       "Label": "Trailer",
         *       "CustomId": "cms-17",
         *       "IsEnabled": true,
         *       "CreatedAt": "2026-03-01T12:00:00.000+00:00",
         *       "LastUpdateAt": "2026-03-01T12:00:00.000+00:00"
         *     }
         */
        Videotype: {
            /** Format: int64 */
            Id: number;
            Label: string;
            /** @description Empty where there is none. */
            CustomId: string;
            IsEnabled: boolean;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            CreatedAt: string;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            LastUpdateAt: string;
        };
        /**
         * @description Where a file is meant to be shown: a partner, a channel, a site.
         * @example {
         *       "Id": 5,
         *       "Label": "Partner sites",
         *       "CustomId": "cms-17",
         *       "IsEnabled": true,
         *       "CreatedAt": "2026-03-01T12:00:00.000+00:00",
         *       "LastUpdateAt": "2026-03-01T12:00:00.000+00:00"
         *     }
         */
        Share: {
            /** Format: int64 */
            Id: number;
            Label: string;
            /** @description Empty where there is none. */
            CustomId: string;
            IsEnabled: boolean;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            CreatedAt: string;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            LastUpdateAt: string;
        };
        /**
         * @description A category of the IAB Content Taxonomy 1.0; those of tier 1 have no parent.
         * @example {
         *       "Id": 1744,
         *       "Label": "World Soccer",
         *       "IABId": "IAB17-44",
         *       "ParentId": 1700
         *     }
         */
        IABCategory: {
            /** Format: int64 */
            Id: number;
            Label: string;
            /** @description As OpenRTB 2.x writes it. */
            IABId: string;
            ParentId: number | null;
        };
        /**
         * @description Files in an order that you make or that rules make; it plays as one stream.
         * @example {
         *       "Id": 4,
         *       "ExternalId": "show-12",
         *       "Name": "Highlights of the week",
         *       "Description": "",
         *       "Type": "manual",
         *       "ProjectId": 3,
         *       "ReleaseStatus": "published",
         *       "Rules": null,
         *       "ElementCount": 1,
         *       "TotalLength": 93.4,
         *       "Playouts": [
         *         {
         *           "Id": "7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e",
         *           "Label": "Default",
         *           "IsDefault": true,
         *           "HLS": "https://video.example.com/v/7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e/main.m3u8",
         *           "DASH": null,
         *           "MP4": null,
         *           "EmbedURI": "https://video.example.com/embed/7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e"
         *         }
         *       ],
         *       "FeedURIs": {
         *         "JSON": "https://video.example.com/v/7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e/feed.json",
         *         "MRSS": "https://video.example.com/v/7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e/feed.xml",
         *         "HLS": "https://video.example.com/v/7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e/main.m3u8"
         *       },
         *       "IsEnabled": true,
         *       "CreatedAt": "2026-03-01T12:00:00+00:00",
         *       "LastUpdateAt": "2026-03-01T12:00:00+00:00",
         *       "DeletedAt": null,
         *       "PurgeAt": null,
         *       "Elements": [
         *         {
         *           "Position": 1,
         *           "FileId": 17,
         *           "ProjectId": 3,
         *           "Title": "Opening night",
         *           "Length": 93.4,
         *           "ThumbURI": "https://video.example.com/p/0d7ad9a1-5c0b-4d3c-8f43-91b1f2f0c8aa/thumb.jpg",
         *           "ReleaseStatus": "published",
         *           "IsPlayable": true
         *         }
         *       ]
         *     }
         */
        Playlist: {
            /** Format: int64 */
            Id: number;
            ExternalId: string | null;
            /** @example Highlights */
            Name: string;
            Description: string;
            /**
             * @description manual: you put the files in order; automatic: rules find them. It cannot be changed later.
             * @enum {string}
             */
            Type: "manual" | "automatic";
            ProjectId: number | null;
            /** @description Viewers get media only when it is published. */
            ReleaseStatus: "draft" | "unpublished" | "published";
            Rules: {
                /**
                 * @description Whether all conditions must hold, or one. Default all.
                 * @enum {string}
                 */
                Match: "all" | "any";
                /** @description Empty = every file. */
                Conditions: {
                    /** @description Title, Description, Tags, Category, Videotype, Status, ReleaseStatus, Length, Size, CreatedAt, LastUpdateAt, ProjectId, Genre, Series, NativeLanguage, OriginalFileName, or CustomMetadata.<name>. */
                    Field: string;
                    /**
                     * @description Which of them a field takes depends on what it holds; an answer of 400 names them.
                     * @enum {string}
                     */
                    Operator: "equals" | "notEquals" | "contains" | "notContains" | "startsWith" | "greaterThan" | "lessThan" | "in" | "isEmpty" | "isNotEmpty" | "before" | "after" | "withinDays";
                    Value?: (string | number | boolean | (string | number)[]) | null;
                }[];
                /**
                 * @description What the elements are sorted by. Default created.
                 * @enum {string}
                 */
                OrderBy: "created" | "updated" | "title" | "length" | "size";
                /**
                 * @description Default desc.
                 * @enum {string}
                 */
                Sort: "desc" | "asc";
                /**
                 * Format: int32
                 * @description At most so many elements, the first in that order. Default 1000.
                 */
                Limit: number;
            } | null;
            /** Format: int64 */
            ElementCount: number;
            /** @description Seconds, of those elements whose length is known. */
            TotalLength: number;
            /** @description Where it plays as one stream; HLS is null while none of its elements can be played. */
            Playouts: {
                /** Format: uuid */
                Id: string;
                Label: string;
                IsDefault: boolean;
                HLS: string | null;
                DASH: string | null;
                MP4: string | null;
                EmbedURI: string | null;
            }[];
            /** @description Public lists of the elements, as JSON Feed 1.1 and as Media RSS, and the stream. */
            FeedURIs: {
                /** Format: uri */
                JSON: string;
                /** Format: uri */
                MRSS: string;
                HLS: string | null;
            };
            IsEnabled: boolean;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            CreatedAt: string;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            LastUpdateAt: string;
            DeletedAt: string | null;
            PurgeAt: string | null;
            Elements: {
                /**
                 * Format: int64
                 * @description Counts from 1.
                 */
                Position: number;
                /** Format: int64 */
                FileId: number;
                /** Format: int64 */
                ProjectId: number;
                Title: string;
                Length: number | null;
                ThumbURI: string | null;
                /** @description Viewers get media only when it is published. */
                ReleaseStatus: "draft" | "unpublished" | "published";
                /** @description Viewers get it once it is published, too. */
                IsPlayable: boolean;
            }[];
        };
        /**
         * @description A playlist as lists and webhooks show it: without its elements.
         * @example {
         *       "Id": 4,
         *       "ExternalId": "show-12",
         *       "Name": "Highlights of the week",
         *       "Description": "",
         *       "Type": "manual",
         *       "ProjectId": 3,
         *       "ReleaseStatus": "published",
         *       "Rules": null,
         *       "ElementCount": 1,
         *       "TotalLength": 93.4,
         *       "Playouts": [
         *         {
         *           "Id": "7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e",
         *           "Label": "Default",
         *           "IsDefault": true,
         *           "HLS": "https://video.example.com/v/7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e/main.m3u8",
         *           "DASH": null,
         *           "MP4": null,
         *           "EmbedURI": "https://video.example.com/embed/7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e"
         *         }
         *       ],
         *       "FeedURIs": {
         *         "JSON": "https://video.example.com/v/7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e/feed.json",
         *         "MRSS": "https://video.example.com/v/7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e/feed.xml",
         *         "HLS": "https://video.example.com/v/7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e/main.m3u8"
         *       },
         *       "IsEnabled": true,
         *       "CreatedAt": "2026-03-01T12:00:00+00:00",
         *       "LastUpdateAt": "2026-03-01T12:00:00+00:00",
         *       "DeletedAt": null,
         *       "PurgeAt": null
         *     }
         */
        PlaylistSummary: {
            /** Format: int64 */
            Id: number;
            ExternalId: string | null;
            /** @example Highlights */
            Name: string;
            Description: string;
            /**
             * @description manual: you put the files in order; automatic: rules find them. It cannot be changed later.
             * @enum {string}
             */
            Type: "manual" | "automatic";
            ProjectId: number | null;
            /** @description Viewers get media only when it is published. */
            ReleaseStatus: "draft" | "unpublished" | "published";
            Rules: {
                /**
                 * @description Whether all conditions must hold, or one. Default all.
                 * @enum {string}
                 */
                Match: "all" | "any";
                /** @description Empty = every file. */
                Conditions: {
                    /** @description Title, Description, Tags, Category, Videotype, Status, ReleaseStatus, Length, Size, CreatedAt, LastUpdateAt, ProjectId, Genre, Series, NativeLanguage, OriginalFileName, or CustomMetadata.<name>. */
                    Field: string;
                    /**
                     * @description Which of them a field takes depends on what it holds; an answer of 400 names them.
                     * @enum {string}
                     */
                    Operator: "equals" | "notEquals" | "contains" | "notContains" | "startsWith" | "greaterThan" | "lessThan" | "in" | "isEmpty" | "isNotEmpty" | "before" | "after" | "withinDays";
                    Value?: (string | number | boolean | (string | number)[]) | null;
                }[];
                /**
                 * @description What the elements are sorted by. Default created.
                 * @enum {string}
                 */
                OrderBy: "created" | "updated" | "title" | "length" | "size";
                /**
                 * @description Default desc.
                 * @enum {string}
                 */
                Sort: "desc" | "asc";
                /**
                 * Format: int32
                 * @description At most so many elements, the first in that order. Default 1000.
                 */
                Limit: number;
            } | null;
            /** Format: int64 */
            ElementCount: number;
            /** @description Seconds, of those elements whose length is known. */
            TotalLength: number;
            /** @description Where it plays as one stream; HLS is null while none of its elements can be played. */
            Playouts: {
                /** Format: uuid */
                Id: string;
                Label: string;
                IsDefault: boolean;
                HLS: string | null;
                DASH: string | null;
                MP4: string | null;
                EmbedURI: string | null;
            }[];
            /** @description Public lists of the elements, as JSON Feed 1.1 and as Media RSS, and the stream. */
            FeedURIs: {
                /** Format: uri */
                JSON: string;
                /** Format: uri */
                MRSS: string;
                HLS: string | null;
            };
            IsEnabled: boolean;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            CreatedAt: string;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            LastUpdateAt: string;
            DeletedAt: string | null;
            PurgeAt: string | null;
        };
        /**
         * @description A live stream at the time of an event.
         * @example {
         *       "ProjectId": 3,
         *       "PlayoutId": "0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
         *       "Title": "Spring show",
         *       "State": "online",
         *       "IsOnline": true,
         *       "HLS": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.m3u8",
         *       "LLHLS": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/ll.m3u8",
         *       "DASH": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.mpd",
         *       "PlayerURL": "https://video.example.com/embed/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
         *       "Broadcast": {
         *         "Id": 7,
         *         "ConnectedAt": "2026-03-01T12:00:00.000+00:00",
         *         "OnlineSince": "2026-03-01T12:00:01.400+00:00",
         *         "DisconnectedAt": null,
         *         "EndedAt": null,
         *         "EndReason": null,
         *         "Publisher": {
         *           "Address": "192.0.2.7",
         *           "Encoder": "obs-output module (libobs version 31.0.0)"
         *         }
         *       },
         *       "Warning": null,
         *       "Failure": null,
         *       "Recording": null
         *     }
         */
        Live: {
            /** Format: int64 */
            ProjectId: number;
            /** Format: uuid */
            PlayoutId: string;
            Title: string;
            /** @description `connected`: a publisher was accepted, nothing can be shown yet. `reconnecting`: it has gone and may come back within ReconnectWindow. */
            State: "offline" | "connected" | "online" | "reconnecting";
            IsOnline: boolean;
            /** Format: uri */
            HLS: string;
            LLHLS: string | null;
            /** Format: uri */
            DASH: string;
            /** Format: uri */
            PlayerURL: string;
            Broadcast: {
                /** Format: int64 */
                Id: number;
                /**
                 * Format: date-time
                 * @example 2026-03-01T12:00:00+00:00
                 */
                ConnectedAt: string;
                OnlineSince: string | null;
                DisconnectedAt: string | null;
                EndedAt: string | null;
                EndReason: string | null;
                Publisher: {
                    Address: string;
                    Encoder: string;
                };
            } | null;
            Warning: {
                /** @example key_frames_too_rare */
                Code: string;
                Message: string;
            } | null;
            Failure: {
                /** @example key_frames_too_rare */
                Code: string;
                Message: string;
            } | null;
            Recording: {
                /** Format: int64 */
                Id: number;
                /** @description `recording`: a broadcast, or a part of it. `clip`: the last seconds of a broadcast, cut by `POST …/live/clip`. */
                Kind: "recording" | "clip";
                /** Format: int64 */
                BroadcastId: number;
                Title: string;
                /** @description `finished`: the file FileId holds it. `failed`: Message says why there is no file. */
                State: "recording" | "finishing" | "finished" | "failed";
                Message: string | null;
                FileId: number | null;
                /**
                 * Format: date-time
                 * @example 2026-03-01T12:00:00+00:00
                 */
                StartedAt: string;
                EndedAt: string | null;
            } | null;
        };
        /**
         * @description How the live stream of a project comes in, and what is made of it.
         * @example {
         *       "ProjectId": 3,
         *       "Title": "Spring show",
         *       "BoardText": "We begin at 18:00.",
         *       "EndedText": "",
         *       "ReleaseStatus": "published",
         *       "StreamInType": "rtmp",
         *       "StreamInURI": null,
         *       "StreamInConnection": {
         *         "ServerURI": "rtmp://video.example.com/live",
         *         "StreamName": "3sXq9vT0mFhB2kLzR8wYc1DnJ5gP",
         *         "SrtURI": null,
         *         "SrtPassphrase": null,
         *         "WhipURI": null
         *       },
         *       "UseLowLatency": true,
         *       "TimeshiftDuration": 3600,
         *       "ReconnectWindow": 60,
         *       "AutomaticTranscoding": false,
         *       "Renditions": [],
         *       "AutoRecording": true,
         *       "IsEnabled": true,
         *       "IsSynced": true,
         *       "LastUpdateAt": "2026-03-01T12:00:00.000+00:00"
         *     }
         */
        LiveIngest: {
            /** Format: int64 */
            ProjectId: number;
            /**
             * @description Shown by the player.
             * @example Spring show
             */
            Title: string;
            /**
             * @description What viewers read until a broadcast begins; empty = that it has not begun yet.
             * @example We begin at 18:00.
             */
            BoardText: string;
            /**
             * @description What viewers read after a broadcast; empty = that it has ended.
             * @example Thank you! The recording follows tomorrow.
             */
            EndedText: string;
            /** @description Viewers get the stream only while it is published. Default published. */
            ReleaseStatus: "draft" | "unpublished" | "published";
            /**
             * @description How the stream comes: pushed by an encoder, or fetched from StreamInURI. Default rtmp.
             * @enum {string}
             */
            StreamInType: "rtmp" | "srt" | "whip" | "rtmp-pull" | "srt-pull" | "hls-pull";
            /** @description LL-HLS in parts: a second behind the camera instead of six. Default true. */
            UseLowLatency: boolean;
            /**
             * Format: int32
             * @description How far viewers can go back, in seconds. Default 0.
             */
            TimeshiftDuration: number;
            /**
             * Format: int32
             * @description A publisher that comes back within so many seconds goes on with the same broadcast. Default 60.
             */
            ReconnectWindow: number;
            /** @description Makes smaller renditions beside what the publisher sends. Default false. */
            AutomaticTranscoding: boolean;
            /** @description The ladder of AutomaticTranscoding; empty = default. */
            Renditions: {
                /**
                 * Format: int32
                 * @description Short side in pixels; never upscaled.
                 */
                Height: number;
                /**
                 * Format: int32
                 * @description Peak, bits per second.
                 */
                VideoBitRate?: number;
            }[];
            /** @description Each broadcast becomes a file of the project. Default false. */
            AutoRecording: boolean;
            /** @description False refuses publishers, and ends what goes on. Default true. */
            IsEnabled: boolean;
            StreamInURI: string | null;
            /** @description What goes into the settings of the encoder; null where it is not offered. */
            StreamInConnection: {
                ServerURI: string | null;
                StreamName: string | null;
                SrtURI: string | null;
                SrtPassphrase: string | null;
                WhipURI: string | null;
            };
            /** @description False while what goes on does not follow the last change yet: for a second, or to the end of a broadcast that keeps to the settings it began with. */
            IsSynced: boolean;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            LastUpdateAt: string;
        };
        /**
         * @description How the broadcast is doing at this moment.
         * @example {
         *       "ProjectId": 3,
         *       "State": "online",
         *       "OnlineSince": "2026-03-01T12:00:00+00:00",
         *       "Publisher": {
         *         "Protocol": "rtmp",
         *         "Address": "192.0.2.7",
         *         "Encoder": "obs-output module (libobs version 31.0.0)"
         *       },
         *       "Video": {
         *         "Codec": "avc1.640028",
         *         "Width": 1920,
         *         "Height": 1080,
         *         "FrameRate": 30,
         *         "BitRate": 6012000,
         *         "KeyFrameInterval": 2
         *       },
         *       "Audio": {
         *         "Codec": "mp4a.40.2",
         *         "Channels": 2,
         *         "SampleRate": 48000,
         *         "BitRate": 160000
         *       },
         *       "DroppedFrames": 0,
         *       "DriftMs": 3.2,
         *       "Viewers": 214,
         *       "Latency": {
         *         "Target": 1,
         *         "MeasuredP50": 1.12,
         *         "MeasuredP95": 1.9
         *       },
         *       "Warnings": [],
         *       "Recording": {
         *         "State": "recording",
         *         "Since": "2026-03-01T12:00:01+00:00",
         *         "Bytes": 48211004
         *       },
         *       "Targets": [],
         *       "NodeId": "6a1f0c7e-0d6b-4c62-9a51-0e2f60f3a8d4"
         *     }
         */
        LiveStatus: {
            /** Format: int64 */
            ProjectId: number;
            /** @description `connected`: a publisher was accepted, nothing can be shown yet. `reconnecting`: it has gone and may come back within ReconnectWindow. */
            State: "offline" | "connected" | "online" | "reconnecting";
            OnlineSince: string | null;
            Publisher: {
                /** @example rtmp */
                Protocol: string;
                /** @description Where it sends from. */
                Address: string;
                /** @description The software, in its own words; may be empty. */
                Encoder: string;
            } | null;
            Video: {
                /** @example avc1.640028 */
                Codec: string;
                Width: number | null;
                Height: number | null;
                FrameRate: number | null;
                BitRate: number | null;
                KeyFrameInterval: number | null;
            } | null;
            Audio: {
                /** @example mp4a.40.2 */
                Codec: string;
                Channels: number | null;
                SampleRate: number | null;
                BitRate: number | null;
            } | null;
            /**
             * Format: int64
             * @description Of this broadcast: what came broken or could not be kept.
             */
            DroppedFrames: number;
            DriftMs: number | null;
            /**
             * Format: int64
             * @description Who has loaded something lately.
             */
            Viewers: number;
            /** @description Seconds; null where nobody has measured yet. */
            Latency: {
                Target: number | null;
                MeasuredP50: number | null;
                MeasuredP95: number | null;
            };
            Warnings: {
                /** @example key_frames_too_rare */
                Code: string;
                Message: string;
                /**
                 * Format: date-time
                 * @example 2026-03-01T12:00:00+00:00
                 */
                Since: string;
            }[];
            Recording: {
                State: "recording" | "finishing";
                /**
                 * Format: date-time
                 * @example 2026-03-01T12:00:00+00:00
                 */
                Since: string;
                /** Format: int64 */
                Bytes: number;
            } | null;
            Targets: {
                /** Format: int64 */
                Id: number;
                Label: string;
                /** @description `waiting`: it failed and is tried again soon. `idle`: nothing is live, or it is disabled. */
                State: "idle" | "connecting" | "online" | "waiting";
                Message: string | null;
                OnlineSince: string | null;
                /**
                 * Format: int64
                 * @description How often it was begun anew in this broadcast.
                 */
                RestartCount: number;
            }[];
            NodeId: string | null;
        };
        /**
         * @description Something that happened to a live stream, for its operators.
         * @example {
         *       "Id": 12,
         *       "Level": "error",
         *       "Code": "second_publisher",
         *       "Message": "A second publisher from 192.0.2.9 was refused: somebody sends to this stream already.",
         *       "BroadcastId": 7,
         *       "OccurredAt": "2026-03-01T12:10:00.000+00:00"
         *     }
         */
        LiveLogEntry: {
            /** Format: int64 */
            Id: number;
            Level: "info" | "warning" | "error";
            /**
             * @description For programs; more may come.
             * @example second_publisher
             */
            Code: string;
            Message: string;
            BroadcastId: number | null;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            OccurredAt: string;
        };
        /**
         * @description A recording or a clip of a broadcast.
         * @example {
         *       "Id": 5,
         *       "Kind": "recording",
         *       "BroadcastId": 7,
         *       "Title": "Spring show",
         *       "State": "finished",
         *       "Message": null,
         *       "FileId": 31,
         *       "StartedAt": "2026-03-01T12:00:01.400+00:00",
         *       "EndedAt": "2026-03-01T13:00:02.000+00:00"
         *     }
         */
        LiveRecording: {
            /** Format: int64 */
            Id: number;
            /** @description `recording`: a broadcast, or a part of it. `clip`: the last seconds of a broadcast, cut by `POST …/live/clip`. */
            Kind: "recording" | "clip";
            /** Format: int64 */
            BroadcastId: number;
            Title: string;
            /** @description `finished`: the file FileId holds it. `failed`: Message says why there is no file. */
            State: "recording" | "finishing" | "finished" | "failed";
            Message: string | null;
            FileId: number | null;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            StartedAt: string;
            EndedAt: string | null;
        };
        /**
         * @description Where a live stream is pushed on to. How it is doing stands in the status of the stream.
         * @example {
         *       "Id": 4,
         *       "Label": "YouTube",
         *       "URI": "rtmps://live.example.com/app/…-key",
         *       "ServerURI": "rtmps://live.example.com/app",
         *       "IsEnabled": true,
         *       "CreatedAt": "2026-03-01T12:00:00.000+00:00",
         *       "LastUpdateAt": "2026-03-01T12:00:00.000+00:00"
         *     }
         */
        LiveTarget: {
            /** Format: int64 */
            Id: number;
            /** @example YouTube */
            Label: string;
            /** @description Default true. */
            IsEnabled: boolean;
            /** @description rtmp or rtmps; of the stream key, which is not shown again, the last characters. */
            URI: string;
            /** @description The same without the stream key. */
            ServerURI: string;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            CreatedAt: string;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            LastUpdateAt: string;
        };
        /**
         * @description Where a live stream plays: the same addresses before, during and after a broadcast.
         * @example {
         *       "ProjectId": 3,
         *       "PlayoutId": "0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
         *       "IsOnline": true,
         *       "OnlineSince": "2026-03-01T12:00:00.000+00:00",
         *       "HLS": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.m3u8",
         *       "LLHLS": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/ll.m3u8",
         *       "DASH": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.mpd",
         *       "Renditions": [],
         *       "EmbedCodes": {
         *         "JavaScript": "<script src=\"https://video.example.com/embed.js\" data-playout=\"0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10\" async></script>",
         *         "iFrame": "<iframe src=\"https://video.example.com/embed/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10\" title=\"Spring show\" width=\"640\" height=\"360\" style=\"border:0\" allow=\"autoplay; fullscreen; picture-in-picture\" allowfullscreen></iframe>",
         *         "PlayerURL": "https://video.example.com/embed/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10"
         *       },
         *       "PictureURI": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/poster.jpg",
         *       "TimeshiftDuration": 3600,
         *       "Latency": {
         *         "Target": 1,
         *         "MeasuredP50": 1.12,
         *         "MeasuredP95": 1.9
         *       },
         *       "Preview": {
         *         "HLS": "https://video.example.com/s/kv1.t5q3w0.6o9fJ0zQm1w/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.m3u8",
         *         "LLHLS": "https://video.example.com/s/kv1.t5q3w0.6o9fJ0zQm1w/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/ll.m3u8",
         *         "DASH": "https://video.example.com/s/kv1.t5q3w0.6o9fJ0zQm1w/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.mpd",
         *         "PlayerURL": "https://video.example.com/s/kv1.t5q3w0.6o9fJ0zQm1w/embed/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
         *         "ExpiresAt": "2026-03-01T16:00:00+00:00"
         *       }
         *     }
         */
        LiveOutput: {
            /** Format: int64 */
            ProjectId: number;
            /** Format: uuid */
            PlayoutId: string;
            /** @description Also while a publisher that was lost may come back. */
            IsOnline: boolean;
            OnlineSince: string | null;
            /** Format: uri */
            HLS: string;
            LLHLS: string | null;
            /** Format: uri */
            DASH: string;
            /** @description The ladder that is made beside what the publisher sends; empty = none, or the default one. */
            Renditions: {
                /**
                 * Format: int32
                 * @description Short side in pixels; never upscaled.
                 */
                Height: number;
                /**
                 * Format: int32
                 * @description Peak, bits per second.
                 */
                VideoBitRate?: number;
            }[];
            EmbedCodes: {
                JavaScript: string;
                iFrame: string;
                /** Format: uri */
                PlayerURL: string;
            };
            /** Format: uri */
            PictureURI: string;
            /**
             * Format: int64
             * @description How far viewers can go back, in seconds.
             */
            TimeshiftDuration: number;
            /** @description Seconds; null where nobody has measured yet. */
            Latency: {
                Target: number | null;
                MeasuredP50: number | null;
                MeasuredP95: number | null;
            };
            /**
             * @description Links that work until ExpiresAt; what is not offered is null.
             * @example {
             *       "HLS": "https://video.example.com/s/kv1.t5q3w0.6o9fJ0zQm1w/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.m3u8",
             *       "LLHLS": "https://video.example.com/s/kv1.t5q3w0.6o9fJ0zQm1w/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/ll.m3u8",
             *       "DASH": "https://video.example.com/s/kv1.t5q3w0.6o9fJ0zQm1w/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.mpd",
             *       "PlayerURL": "https://video.example.com/s/kv1.t5q3w0.6o9fJ0zQm1w/embed/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
             *       "ExpiresAt": "2026-03-01T16:00:00+00:00"
             *     }
             */
            Preview: {
                /** Format: uri */
                HLS: string;
                LLHLS: string | null;
                /** Format: uri */
                DASH: string;
                /** Format: uri */
                PlayerURL: string;
                /**
                 * Format: date-time
                 * @example 2026-03-01T12:00:00+00:00
                 */
                ExpiresAt: string;
            };
        };
        /**
         * @description Something that happened, with the record that it happened to as it was at that moment: `file.*` carry `File`, `project.*` carry `Project`, and so on.
         * @example {
         *       "Event": "project.new",
         *       "EventId": 17,
         *       "OccurredAt": "2026-03-01T12:00:00.000+00:00",
         *       "Sequence": 1,
         *       "ProjectId": 3,
         *       "Project": {
         *         "Id": 3,
         *         "ExternalId": "campaign-2026",
         *         "Name": "Newsroom",
         *         "Description": "What the news desk publishes",
         *         "DefaultReleaseStatus": "unpublished",
         *         "TokenSecurity": false,
         *         "AllowedDomains": [],
         *         "PlayerTheme": {
         *           "Color": null,
         *           "Logo": null
         *         },
         *         "EncoderSettings": {
         *           "UseEncoding": true,
         *           "EncodingPriority": 50,
         *           "Renditions": [],
         *           "VideoCodecs": [
         *             "h264"
         *           ],
         *           "NormalizeLoudness": false,
         *           "KeepOriginal": true
         *         },
         *         "MetadataFields": [],
         *         "IsLive": false,
         *         "FileCount": 0,
         *         "StorageBytes": 0,
         *         "StorageQuotaBytes": null,
         *         "IsEnabled": true,
         *         "IsRestoring": false,
         *         "CreatedAt": "2026-03-01T12:00:00.000+00:00",
         *         "LastUpdateAt": "2026-03-01T12:00:00.000+00:00",
         *         "DeletedAt": null,
         *         "PurgeAt": null
         *       }
         *     }
         */
        Event: {
            /**
             * @description What happened. New names may be added: ignore those that you do not know.
             * @enum {string}
             */
            Event: "file.new" | "file.created" | "file.uploaded" | "file.encoding" | "file.playable" | "file.encoded" | "file.failed" | "file.updated" | "file.released" | "file.unreleased" | "file.replaced" | "file.deleted" | "file.restored" | "live.connected" | "live.started" | "live.warning" | "live.disconnected" | "live.reconnected" | "live.ended" | "live.failed" | "live.publisher_refused" | "recording.started" | "recording.finished" | "playlist.new" | "playlist.updated" | "playlist.deleted" | "playlist.restored" | "project.new" | "project.updated" | "project.deleted" | "project.restored" | "webhook.ping";
            /**
             * Format: int64
             * @description Grows with every event; not without gaps.
             */
            EventId: number;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            OccurredAt: string;
            /**
             * Format: int64
             * @description Counts the events of one and the same file, project, live stream or playlist, without gaps.
             */
            Sequence: number;
            ProjectId: number | null;
            File?: components["schemas"]["File"];
            Project?: components["schemas"]["Project"];
            Playlist?: components["schemas"]["PlaylistSummary"];
            Live?: components["schemas"]["Live"];
            Webhook?: components["schemas"]["Webhook"];
        };
        /**
         * @description A target that is told when something happens.
         * @example {
         *       "Id": 2,
         *       "Label": "Newsroom",
         *       "TargetURL": "https://example.com/webhooks",
         *       "EventTypes": [
         *         "file.new",
         *         "live.*"
         *       ],
         *       "ProjectId": null,
         *       "CustomHeaders": {
         *         "X-Tenant": "newsroom"
         *       },
         *       "IsEnabled": true,
         *       "DisabledReason": null,
         *       "DisabledAt": null,
         *       "SecretLastFour": "LaSw",
         *       "PreviousSecretValidUntil": null,
         *       "CreatedAt": "2026-03-01T12:00:00.000+00:00",
         *       "LastUpdateAt": "2026-03-01T12:00:00.000+00:00"
         *     }
         */
        Webhook: {
            /** Format: int64 */
            Id: number;
            /** @example Newsroom */
            Label: string;
            /**
             * @description https, on port 80, 443 or from 1024. Its query is kept; ProjectId, FileId and event are added. Or `zoetrope:inspector`: requests stay here and are shown by …/inspectedrequests.
             * @example https://example.com/webhooks
             */
            TargetURL: string;
            /**
             * @description Names of events, families such as `file.*`, or `*`.
             * @example [
             *       "file.new",
             *       "live.*"
             *     ]
             */
            EventTypes: string[];
            /** @description Only events of this project; null = all of the account. */
            ProjectId: number | null;
            /**
             * @description Sent with each request. They cannot replace the headers that Zoetrope sets.
             * @example {
             *       "X-Tenant": "newsroom"
             *     }
             */
            CustomHeaders: {
                [key: string]: string;
            };
            /** @description While it is false nothing is sent and nothing is kept for later. */
            IsEnabled: boolean;
            /** @description Set when Zoetrope disabled it: the receiver answered 410, or nothing but failures for five days. */
            DisabledReason: string | null;
            /** @description When Zoetrope disabled it. */
            DisabledAt: string | null;
            /** @description The last characters of the secret, to recognise it by. */
            SecretLastFour: string;
            /** @description Until then requests are signed with the secret before the last rotation as well. */
            PreviousSecretValidUntil: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            CreatedAt: string;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            LastUpdateAt: string;
        };
        /**
         * @description A webhook with its secret.
         * @example {
         *       "Id": 2,
         *       "Label": "Newsroom",
         *       "TargetURL": "https://example.com/webhooks",
         *       "EventTypes": [
         *         "file.new",
         *         "live.*"
         *       ],
         *       "ProjectId": null,
         *       "CustomHeaders": {
         *         "X-Tenant": "newsroom"
         *       },
         *       "IsEnabled": true,
         *       "DisabledReason": null,
         *       "DisabledAt": null,
         *       "SecretLastFour": "LaSw",
         *       "PreviousSecretValidUntil": null,
         *       "CreatedAt": "2026-03-01T12:00:00.000+00:00",
         *       "LastUpdateAt": "2026-03-01T12:00:00.000+00:00",
         *       "Secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
         *     }
         */
        WebhookWithSecret: {
            /** Format: int64 */
            Id: number;
            /** @example Newsroom */
            Label: string;
            /**
             * @description https, on port 80, 443 or from 1024. Its query is kept; ProjectId, FileId and event are added. Or `zoetrope:inspector`: requests stay here and are shown by …/inspectedrequests.
             * @example https://example.com/webhooks
             */
            TargetURL: string;
            /**
             * @description Names of events, families such as `file.*`, or `*`.
             * @example [
             *       "file.new",
             *       "live.*"
             *     ]
             */
            EventTypes: string[];
            /** @description Only events of this project; null = all of the account. */
            ProjectId: number | null;
            /**
             * @description Sent with each request. They cannot replace the headers that Zoetrope sets.
             * @example {
             *       "X-Tenant": "newsroom"
             *     }
             */
            CustomHeaders: {
                [key: string]: string;
            };
            /** @description While it is false nothing is sent and nothing is kept for later. */
            IsEnabled: boolean;
            /** @description Set when Zoetrope disabled it: the receiver answered 410, or nothing but failures for five days. */
            DisabledReason: string | null;
            /** @description When Zoetrope disabled it. */
            DisabledAt: string | null;
            /** @description The last characters of the secret, to recognise it by. */
            SecretLastFour: string;
            /** @description Until then requests are signed with the secret before the last rotation as well. */
            PreviousSecretValidUntil: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            CreatedAt: string;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            LastUpdateAt: string;
            /**
             * @description Shown only in this answer.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            Secret: string;
        };
        /**
         * @description One event for one webhook.
         * @example {
         *       "Id": 31,
         *       "WebhookId": 2,
         *       "EventId": 17,
         *       "Event": "file.new",
         *       "ProjectId": 3,
         *       "FileId": 5,
         *       "Status": "delivered",
         *       "AttemptCount": 1,
         *       "NextAttemptAt": null,
         *       "LastStatusCode": 200,
         *       "LastError": null,
         *       "CreatedAt": "2026-03-01T12:00:00.000+00:00",
         *       "FinishedAt": "2026-03-01T12:00:00.214+00:00"
         *     }
         */
        Delivery: {
            /** Format: int64 */
            Id: number;
            /** Format: int64 */
            WebhookId: number;
            /** Format: int64 */
            EventId: number;
            /** @example file.new */
            Event: string;
            ProjectId: number | null;
            FileId: number | null;
            /** @description pending: to be sent as soon as the webhook is neither paused nor disabled; waiting: for its next attempt, or for an earlier delivery of the same file; cancelled: discarded, replaced by a delivery of a replay, or of a webhook that was deleted or changed its project. */
            Status: "pending" | "waiting" | "delivered" | "failed" | "cancelled";
            /** Format: int64 */
            AttemptCount: number;
            NextAttemptAt: string | null;
            LastStatusCode: number | null;
            LastError: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            CreatedAt: string;
            FinishedAt: string | null;
        };
        /**
         * @description A delivery with all its attempts.
         * @example {
         *       "Id": 31,
         *       "WebhookId": 2,
         *       "EventId": 17,
         *       "Event": "file.new",
         *       "ProjectId": 3,
         *       "FileId": 5,
         *       "Status": "delivered",
         *       "AttemptCount": 1,
         *       "NextAttemptAt": null,
         *       "LastStatusCode": 200,
         *       "LastError": null,
         *       "CreatedAt": "2026-03-01T12:00:00.000+00:00",
         *       "FinishedAt": "2026-03-01T12:00:00.214+00:00",
         *       "Attempts": [
         *         {
         *           "Number": 1,
         *           "StartedAt": "2026-03-01T12:00:00.031+00:00",
         *           "DurationMs": 183,
         *           "StatusCode": 200,
         *           "ResponseExcerpt": "thanks",
         *           "Error": null
         *         }
         *       ]
         *     }
         */
        DeliveryWithAttempts: {
            /** Format: int64 */
            Id: number;
            /** Format: int64 */
            WebhookId: number;
            /** Format: int64 */
            EventId: number;
            /** @example file.new */
            Event: string;
            ProjectId: number | null;
            FileId: number | null;
            /** @description pending: to be sent as soon as the webhook is neither paused nor disabled; waiting: for its next attempt, or for an earlier delivery of the same file; cancelled: discarded, replaced by a delivery of a replay, or of a webhook that was deleted or changed its project. */
            Status: "pending" | "waiting" | "delivered" | "failed" | "cancelled";
            /** Format: int64 */
            AttemptCount: number;
            NextAttemptAt: string | null;
            LastStatusCode: number | null;
            LastError: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            CreatedAt: string;
            FinishedAt: string | null;
            Attempts: {
                /** Format: int64 */
                Number: number;
                /**
                 * Format: date-time
                 * @example 2026-03-01T12:00:00+00:00
                 */
                StartedAt: string;
                /** Format: int64 */
                DurationMs: number;
                StatusCode: number | null;
                /** @description The first 4 KiB of the answer. */
                ResponseExcerpt: string | null;
                Error: string | null;
            }[];
        };
        /**
         * @description How the endpoint of a webhook answers, and what waits for it.
         * @example {
         *       "WebhookId": 2,
         *       "Status": "paused",
         *       "FailuresInRow": 11,
         *       "FailingSince": "2026-03-01T11:58:12.004+00:00",
         *       "PausedUntil": "2026-03-01T12:00:42.310+00:00",
         *       "HeldReason": null,
         *       "LastSuccessAt": "2026-03-01T11:57:59.871+00:00",
         *       "LastFailure": {
         *         "At": "2026-03-01T11:59:42.310+00:00",
         *         "StatusCode": 503,
         *         "Error": "The receiver answered 503 instead of 2xx."
         *       },
         *       "Last48Hours": {
         *         "DeliveredCount": 310,
         *         "FailedCount": 11
         *       },
         *       "WaitingCount": 37,
         *       "OldestWaitingAt": "2026-03-01T11:58:11.930+00:00",
         *       "DisabledReason": null,
         *       "DisabledAt": null
         *     }
         */
        WebhookHealth: {
            /** Format: int64 */
            WebhookId: number;
            /** @description ok: the last request was answered with 2xx, or none was made yet; failing: the last one was not; paused: after ten failures in a row nothing is sent until PausedUntil; held: deliveries wait for the identity provider, HeldReason says why; disabled: by you or by Zoetrope. */
            Status: "ok" | "failing" | "paused" | "held" | "disabled";
            /**
             * Format: int64
             * @description Requests that failed since the last success.
             */
            FailuresInRow: number;
            FailingSince: string | null;
            /** @description Then one request is made; if it fails, the next pause is twice as long, up to half an hour. */
            PausedUntil: string | null;
            /** @description Why the identity provider of the account gives no token, without which nothing is sent. */
            HeldReason: string | null;
            /** @description To the second. */
            LastSuccessAt: string | null;
            LastFailure: {
                /**
                 * Format: date-time
                 * @example 2026-03-01T12:00:00+00:00
                 */
                At: string;
                StatusCode: number | null;
                Error: string | null;
            } | null;
            /** @description The attempts of the last 48 hours, some seconds behind. */
            Last48Hours: {
                /**
                 * Format: int64
                 * @description Attempts that were answered with 2xx.
                 */
                DeliveredCount: number;
                /**
                 * Format: int64
                 * @description Attempts that were not; one delivery may fail several times before it arrives.
                 */
                FailedCount: number;
            };
            /**
             * Format: int32
             * @description Deliveries that are still to be made; counted up to 10000.
             */
            WaitingCount: number;
            /** @description When the oldest of them was written. */
            OldestWaitingAt: string | null;
            DisabledReason: string | null;
            DisabledAt: string | null;
        };
        /**
         * @description How the requests of a webhook went, hour by hour. Counts are some seconds behind; latencies are right to within a tenth.
         * @example {
         *       "WebhookId": 2,
         *       "Hours": [
         *         {
         *           "Hour": "2026-03-01T11:00:00.000+00:00",
         *           "DeliveredCount": 1204,
         *           "FailedCount": 3,
         *           "LatencyP50Ms": 46,
         *           "LatencyP95Ms": 182
         *         },
         *         {
         *           "Hour": "2026-03-01T12:00:00.000+00:00",
         *           "DeliveredCount": 0,
         *           "FailedCount": 0,
         *           "LatencyP50Ms": null,
         *           "LatencyP95Ms": null
         *         }
         *       ]
         *     }
         */
        WebhookHours: {
            /** Format: int64 */
            WebhookId: number;
            /** @description The last 48 hours, the present one last. */
            Hours: {
                /**
                 * Format: date-time
                 * @description When it began, by the hours of UTC.
                 * @example 2026-03-01T12:00:00+00:00
                 */
                Hour: string;
                /**
                 * Format: int64
                 * @description Requests that were answered with 2xx.
                 */
                DeliveredCount: number;
                /**
                 * Format: int64
                 * @description Requests that were not; a delivery may fail several times.
                 */
                FailedCount: number;
                LatencyP50Ms: number | null;
                LatencyP95Ms: number | null;
            }[];
        };
        /**
         * @description Events of a time range that are sent once more.
         * @example {
         *       "Id": 4,
         *       "WebhookId": 2,
         *       "From": "2026-03-01T08:00:00.000+00:00",
         *       "To": "2026-03-01T12:00:00.000+00:00",
         *       "Events": [
         *         "file.new",
         *         "file.deleted"
         *       ],
         *       "ProjectId": 3,
         *       "Status": "running",
         *       "EventCount": 1204,
         *       "DeliveryCount": 500,
         *       "SkippedCount": 0,
         *       "CreatedAt": "2026-03-01T12:05:00.000+00:00",
         *       "FinishedAt": null
         *     }
         */
        Replay: {
            /** Format: int64 */
            Id: number;
            /** Format: int64 */
            WebhookId: number;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            From: string;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            To: string;
            /** @description The names of the events that are sent again. */
            Events: string[];
            ProjectId: number | null;
            /** @description running: deliveries are being made; finished: all are made, and sent like any other; cancelled: the webhook was disabled or deleted before. */
            Status: "running" | "finished" | "cancelled";
            /**
             * Format: int64
             * @description Events of the range that this webhook wants.
             */
            EventCount: number;
            /**
             * Format: int64
             * @description Events that have got a new delivery so far.
             */
            DeliveryCount: number;
            /**
             * Format: int64
             * @description Events without a new delivery so far, because their earlier one still waited: it was brought forward.
             */
            SkippedCount: number;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            CreatedAt: string;
            FinishedAt: string | null;
        };
        /**
         * @description A request that a webhook sent to the built-in inspector.
         * @example {
         *       "Id": 9,
         *       "ReceivedAt": "2026-03-01T12:00:00.214+00:00",
         *       "Path": "/inspector?ProjectId=3&FileId=5&event=file.new",
         *       "Headers": {
         *         "content-type": "application/json; charset=utf-8",
         *         "user-agent": "Zoetrope-Webhooks/1",
         *         "webhook-id": "evt_17_2",
         *         "webhook-timestamp": "1772366400",
         *         "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="
         *       },
         *       "Body": "[{\"Event\":\"file.new\",\"EventId\":17,\"ProjectId\":3,\"File\":{\"Id\":5}}]",
         *       "IsGenuine": true
         *     }
         */
        InspectedRequest: {
            /** Format: int64 */
            Id: number;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            ReceivedAt: string;
            /**
             * @description With its query, as behind POST in the first line of the request.
             * @example /inspector?ProjectId=3&FileId=5&event=file.new
             */
            Path: string;
            Headers: {
                [key: string]: string;
            };
            /** @description As it came, byte for byte: what the signature is made over. */
            Body: string;
            /** @description Whether the signature is right for this body and this time. */
            IsGenuine: boolean;
        };
        /**
         * @description The identity provider on whose strength the deliveries of the account are signed, and by which its people may sign in.
         * @example {
         *       "Id": 1,
         *       "Preset": "keycloak",
         *       "Issuer": "https://login.example.com/realms/main",
         *       "ClientId": "zoetrope",
         *       "Authentication": "client_secret_basic",
         *       "HasClientSecret": true,
         *       "Scope": "webhooks/send",
         *       "Audience": null,
         *       "TokenEndpoint": "https://login.example.com/realms/main/protocol/openid-connect/token",
         *       "ProviderKeySetURI": "https://login.example.com/realms/main/protocol/openid-connect/certs",
         *       "State": "working",
         *       "StateReason": null,
         *       "StateSince": "2026-03-01T12:00:00.000+00:00",
         *       "SignIn": {
         *         "IsEnabled": true,
         *         "ClientId": "zoetrope-people",
         *         "HasClientSecret": true,
         *         "RedirectURI": "https://video.example.com/signin/sso/callback/1",
         *         "FailureReason": null,
         *         "FailedAt": null
         *       },
         *       "SigningKeySetURI": "https://video.example.com/.well-known/jwks.json",
         *       "SigningKeys": [
         *         {
         *           "Kid": "3f6f1c52-7a0e-4b1e-9a55-0d0a3f0b6f11",
         *           "IsActive": true,
         *           "ActiveFrom": "2026-03-01T12:00:00.000+00:00",
         *           "PublishedUntil": null
         *         }
         *       ],
         *       "ConnectedAt": "2026-03-01T12:00:00.000+00:00",
         *       "LastUpdateAt": "2026-03-01T12:00:00.000+00:00"
         *     }
         */
        IdentityProvider: {
            /** Format: int64 */
            Id: number;
            /**
             * @description Which provider it is: decides what is needed and how the audience is named. `custom` is any other.
             * @enum {string}
             */
            Preset: "cognito" | "auth0" | "entra" | "keycloak" | "google" | "custom";
            /**
             * @description Exactly as the provider writes it. `/.well-known/openid-configuration` below it must be there.
             * @example https://login.example.com/realms/main
             */
            Issuer: string;
            /**
             * @description With `service_account` the e-mail address of the service account.
             * @example zoetrope
             */
            ClientId: string;
            /**
             * @description How Zoetrope shows who it is. `private_key_jwt` uses the client key; `service_account` the private key of a Google service account as ClientSecret.
             * @enum {string}
             */
            Authentication: "client_secret_basic" | "client_secret_post" | "private_key_jwt" | "service_account";
            HasClientSecret: boolean;
            Scope: string | null;
            Audience: string | null;
            /** @description Where tokens come from, as discovery says. */
            TokenEndpoint: string;
            /** @description By which receivers verify the access token, as discovery says. */
            ProviderKeySetURI: string;
            /**
             * @description unreachable: it does not answer, and deliveries are held once its token has ended. broken: it refuses, and they are held until that is mended.
             * @enum {string}
             */
            State: "working" | "unreachable" | "broken";
            /** @description What it said, or did not say. */
            StateReason: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            StateSince: string;
            SignIn: {
                /** @description People of the account may sign in by this provider. */
                IsEnabled: boolean;
                ClientId: string | null;
                HasClientSecret: boolean;
                /** @description To be entered at the provider for the client. */
                RedirectURI: string;
                /** @description Why nobody could sign in of late; null while the provider serves us. */
                FailureReason: string | null;
                FailedAt: string | null;
            };
            /** @description By which receivers verify the header Webhook-Identity. */
            SigningKeySetURI: string;
            SigningKeys: {
                /** @example 3f6f1c52-7a0e-4b1e-9a55-0d0a3f0b6f11 */
                Kid: string;
                /** @description Deliveries are signed with it now. */
                IsActive: boolean;
                /**
                 * Format: date-time
                 * @example 2026-03-01T12:00:00+00:00
                 */
                ActiveFrom: string;
                /** @description Null: until it is replaced. */
                PublishedUntil: string | null;
            }[];
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            ConnectedAt: string;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            LastUpdateAt: string;
        };
        /**
         * @description The key with which Zoetrope authenticates at the provider (private_key_jwt).
         * @example {
         *       "Kid": "3f6f1c52-7a0e-4b1e-9a55-0d0a3f0b6f11",
         *       "PublicKey": {
         *         "kty": "RSA",
         *         "n": "u1W…",
         *         "e": "AQAB",
         *         "kid": "3f6f1c52-7a0e-4b1e-9a55-0d0a3f0b6f11",
         *         "alg": "RS256",
         *         "use": "sig"
         *       },
         *       "KeySetURI": "https://video.example.com/.well-known/clients/3f6f1c52-7a0e-4b1e-9a55-0d0a3f0b6f11/jwks.json",
         *       "IsInUse": true,
         *       "CreatedAt": "2026-03-01T12:00:00.000+00:00"
         *     }
         */
        ClientKey: {
            Kid: string;
            /** @description As JWK, to be entered at the provider. */
            PublicKey: {
                [key: string]: unknown;
            };
            /** @description The same as a key set, for providers that fetch it; stays the same over all rotations. */
            KeySetURI: string;
            /** @description False until it was connected with: the former key is used till then. */
            IsInUse: boolean;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            CreatedAt: string;
        };
        /**
         * @description What the account is connected with; null where there is nothing.
         * @example {
         *       "IdentityProvider": {
         *         "Id": 1,
         *         "Preset": "keycloak",
         *         "Issuer": "https://login.example.com/realms/main",
         *         "ClientId": "zoetrope",
         *         "Authentication": "client_secret_basic",
         *         "HasClientSecret": true,
         *         "Scope": "webhooks/send",
         *         "Audience": null,
         *         "TokenEndpoint": "https://login.example.com/realms/main/protocol/openid-connect/token",
         *         "ProviderKeySetURI": "https://login.example.com/realms/main/protocol/openid-connect/certs",
         *         "State": "working",
         *         "StateReason": null,
         *         "StateSince": "2026-03-01T12:00:00.000+00:00",
         *         "SignIn": {
         *           "IsEnabled": true,
         *           "ClientId": "zoetrope-people",
         *           "HasClientSecret": true,
         *           "RedirectURI": "https://video.example.com/signin/sso/callback/1",
         *           "FailureReason": null,
         *           "FailedAt": null
         *         },
         *         "SigningKeySetURI": "https://video.example.com/.well-known/jwks.json",
         *         "SigningKeys": [
         *           {
         *             "Kid": "3f6f1c52-7a0e-4b1e-9a55-0d0a3f0b6f11",
         *             "IsActive": true,
         *             "ActiveFrom": "2026-03-01T12:00:00.000+00:00",
         *             "PublishedUntil": null
         *           }
         *         ],
         *         "ConnectedAt": "2026-03-01T12:00:00.000+00:00",
         *         "LastUpdateAt": "2026-03-01T12:00:00.000+00:00"
         *       },
         *       "ClientKey": {
         *         "Kid": "3f6f1c52-7a0e-4b1e-9a55-0d0a3f0b6f11",
         *         "PublicKey": {
         *           "kty": "RSA",
         *           "n": "u1W…",
         *           "e": "AQAB",
         *           "kid": "3f6f1c52-7a0e-4b1e-9a55-0d0a3f0b6f11",
         *           "alg": "RS256",
         *           "use": "sig"
         *         },
         *         "KeySetURI": "https://video.example.com/.well-known/clients/3f6f1c52-7a0e-4b1e-9a55-0d0a3f0b6f11/jwks.json",
         *         "IsInUse": true,
         *         "CreatedAt": "2026-03-01T12:00:00.000+00:00"
         *       }
         *     }
         */
        Partners: {
            IdentityProvider: {
                /** Format: int64 */
                Id: number;
                /**
                 * @description Which provider it is: decides what is needed and how the audience is named. `custom` is any other.
                 * @enum {string}
                 */
                Preset: "cognito" | "auth0" | "entra" | "keycloak" | "google" | "custom";
                /**
                 * @description Exactly as the provider writes it. `/.well-known/openid-configuration` below it must be there.
                 * @example https://login.example.com/realms/main
                 */
                Issuer: string;
                /**
                 * @description With `service_account` the e-mail address of the service account.
                 * @example zoetrope
                 */
                ClientId: string;
                /**
                 * @description How Zoetrope shows who it is. `private_key_jwt` uses the client key; `service_account` the private key of a Google service account as ClientSecret.
                 * @enum {string}
                 */
                Authentication: "client_secret_basic" | "client_secret_post" | "private_key_jwt" | "service_account";
                HasClientSecret: boolean;
                Scope: string | null;
                Audience: string | null;
                /** @description Where tokens come from, as discovery says. */
                TokenEndpoint: string;
                /** @description By which receivers verify the access token, as discovery says. */
                ProviderKeySetURI: string;
                /**
                 * @description unreachable: it does not answer, and deliveries are held once its token has ended. broken: it refuses, and they are held until that is mended.
                 * @enum {string}
                 */
                State: "working" | "unreachable" | "broken";
                /** @description What it said, or did not say. */
                StateReason: string | null;
                /**
                 * Format: date-time
                 * @example 2026-03-01T12:00:00+00:00
                 */
                StateSince: string;
                SignIn: {
                    /** @description People of the account may sign in by this provider. */
                    IsEnabled: boolean;
                    ClientId: string | null;
                    HasClientSecret: boolean;
                    /** @description To be entered at the provider for the client. */
                    RedirectURI: string;
                    /** @description Why nobody could sign in of late; null while the provider serves us. */
                    FailureReason: string | null;
                    FailedAt: string | null;
                };
                /** @description By which receivers verify the header Webhook-Identity. */
                SigningKeySetURI: string;
                SigningKeys: {
                    /** @example 3f6f1c52-7a0e-4b1e-9a55-0d0a3f0b6f11 */
                    Kid: string;
                    /** @description Deliveries are signed with it now. */
                    IsActive: boolean;
                    /**
                     * Format: date-time
                     * @example 2026-03-01T12:00:00+00:00
                     */
                    ActiveFrom: string;
                    /** @description Null: until it is replaced. */
                    PublishedUntil: string | null;
                }[];
                /**
                 * Format: date-time
                 * @example 2026-03-01T12:00:00+00:00
                 */
                ConnectedAt: string;
                /**
                 * Format: date-time
                 * @example 2026-03-01T12:00:00+00:00
                 */
                LastUpdateAt: string;
            } | null;
            ClientKey: {
                Kid: string;
                /** @description As JWK, to be entered at the provider. */
                PublicKey: {
                    [key: string]: unknown;
                };
                /** @description The same as a key set, for providers that fetch it; stays the same over all rotations. */
                KeySetURI: string;
                /** @description False until it was connected with: the former key is used till then. */
                IsInUse: boolean;
                /**
                 * Format: date-time
                 * @example 2026-03-01T12:00:00+00:00
                 */
                CreatedAt: string;
            } | null;
        };
        /**
         * @description What a test of the connection came to.
         * @example {
         *       "IsWorking": false,
         *       "FailedStep": "token",
         *       "Message": "https://login.example.com/token gave no token: invalid_client."
         *     }
         */
        IdentityProviderTest: {
            IsWorking: boolean;
            /** @description Null when all went well. */
            FailedStep: ("discovery" | "keys" | "token" | "sign-in") | null;
            /** @description What failed, in a sentence. */
            Message: string;
        };
        /**
         * @description What is kept, now and day by day.
         * @example {
         *       "MeasuredAt": "2026-03-01T12:00:00.000+00:00",
         *       "FileCount": 412,
         *       "PlayableSeconds": 98211.4,
         *       "StorageBytes": 1204882113,
         *       "SourceBytes": 702113400,
         *       "RenditionBytes": 481002713,
         *       "PictureBytes": 21700000,
         *       "CaptionBytes": 66000,
         *       "Days": [
         *         {
         *           "Day": "2026-03-01",
         *           "FileCount": 412,
         *           "PlayableSeconds": 98211.4,
         *           "StorageBytes": 1204882113,
         *           "SourceBytes": 702113400,
         *           "RenditionBytes": 481002713,
         *           "PictureBytes": 21700000,
         *           "CaptionBytes": 66000
         *         }
         *       ]
         *     }
         */
        Usage: {
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            MeasuredAt: string;
            /** Format: int64 */
            FileCount: number;
            /** @description The length of all files that can be played. */
            PlayableSeconds: number;
            /**
             * Format: int64
             * @description All that is kept; the four kinds together.
             */
            StorageBytes: number;
            /**
             * Format: int64
             * @description Files as uploaded.
             */
            SourceBytes: number;
            /**
             * Format: int64
             * @description What was made of them to be played.
             */
            RenditionBytes: number;
            /**
             * Format: int64
             * @description Posters, thumbnails and storyboards.
             */
            PictureBytes: number;
            /**
             * Format: int64
             * @description Subtitles and captions.
             */
            CaptionBytes: number;
            /** @description What was kept on each day, as it was noted shortly after midnight UTC; the last one is today, as it is now. Days on which Zoetrope did not run are missing. */
            Days: {
                /**
                 * Format: date
                 * @description UTC.
                 */
                Day: string;
                /** Format: int64 */
                FileCount: number;
                /** @description The length of all files that can be played. */
                PlayableSeconds: number;
                /**
                 * Format: int64
                 * @description All that is kept; the four kinds together.
                 */
                StorageBytes: number;
                /**
                 * Format: int64
                 * @description Files as uploaded.
                 */
                SourceBytes: number;
                /**
                 * Format: int64
                 * @description What was made of them to be played.
                 */
                RenditionBytes: number;
                /**
                 * Format: int64
                 * @description Posters, thumbnails and storyboards.
                 */
                PictureBytes: number;
                /**
                 * Format: int64
                 * @description Subtitles and captions.
                 */
                CaptionBytes: number;
            }[];
        };
        /**
         * @description What one project keeps.
         * @example {
         *       "ProjectId": 3,
         *       "Name": "Spring campaign",
         *       "StorageQuotaBytes": null,
         *       "FileCount": 412,
         *       "PlayableSeconds": 98211.4,
         *       "StorageBytes": 1204882113,
         *       "SourceBytes": 702113400,
         *       "RenditionBytes": 481002713,
         *       "PictureBytes": 21700000,
         *       "CaptionBytes": 66000
         *     }
         */
        ProjectUsage: {
            /** Format: int64 */
            ProjectId: number;
            Name: string;
            StorageQuotaBytes: number | null;
            /** Format: int64 */
            FileCount: number;
            /** @description The length of all files that can be played. */
            PlayableSeconds: number;
            /**
             * Format: int64
             * @description All that is kept; the four kinds together.
             */
            StorageBytes: number;
            /**
             * Format: int64
             * @description Files as uploaded.
             */
            SourceBytes: number;
            /**
             * Format: int64
             * @description What was made of them to be played.
             */
            RenditionBytes: number;
            /**
             * Format: int64
             * @description Posters, thumbnails and storyboards.
             */
            PictureBytes: number;
            /**
             * Format: int64
             * @description Subtitles and captions.
             */
            CaptionBytes: number;
        };
        /**
         * @description A file whose renditions are still being made.
         * @example {
         *       "FileId": 17,
         *       "ProjectId": 3,
         *       "ProjectName": "Spring campaign",
         *       "Title": "Opening night",
         *       "State": "running",
         *       "Place": null,
         *       "Step": "encoding",
         *       "IsPlayable": true,
         *       "EncodingProgress": 40,
         *       "EncodingPriority": 50,
         *       "WaitingSince": "2026-03-01T12:00:00.000+00:00",
         *       "EstimatedReadyAt": "2026-03-01T12:03:20.000+00:00"
         *     }
         */
        Encoding: {
            /** Format: int64 */
            FileId: number;
            /** Format: int64 */
            ProjectId: number;
            ProjectName: string;
            Title: string;
            /**
             * @description Whether a worker is at it.
             * @enum {string}
             */
            State: "waiting" | "running";
            Place: number | null;
            /**
             * @description First it is made playable, then the rest of its renditions are encoded.
             * @enum {string}
             */
            Step: "preparing" | "encoding";
            /** @description Viewers need not wait for it. */
            IsPlayable: boolean;
            /** Format: int32 */
            EncodingProgress: number;
            /** Format: int32 */
            EncodingPriority: number;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            WaitingSince: string;
            EstimatedReadyAt: string | null;
        };
        /**
         * @description How many files name a category, video type or share.
         * @example {
         *       "Id": 5,
         *       "Kind": "category",
         *       "Label": "Nature",
         *       "FileCount": 41
         *     }
         */
        CatalogUsage: {
            /** Format: int64 */
            Id: number;
            /** @enum {string} */
            Kind: "category" | "videotype" | "share";
            Label: string;
            /** Format: int64 */
            FileCount: number;
        };
        /**
         * @description A person of the account and what that person may do.
         * @example {
         *       "Id": 7,
         *       "Email": "kim.lee@example.com",
         *       "Name": "Kim Lee",
         *       "Role": "Reader",
         *       "ProjectRoles": [
         *         {
         *           "ProjectId": 3,
         *           "Role": "SeniorEditor"
         *         }
         *       ],
         *       "IsEnabled": true,
         *       "HasPassword": true,
         *       "LastSignInAt": "2026-03-01T08:30:00+00:00",
         *       "ApiKeyCount": 2,
         *       "CreatedAt": "2026-02-01T12:00:00+00:00",
         *       "LastUpdateAt": "2026-02-01T12:00:00+00:00"
         *     }
         */
        User: {
            /** Format: int64 */
            Id: number;
            Email: string;
            Name: string;
            /**
             * @description Reader reads; Uploader also uploads and edits own files; JuniorEditor also edits metadata, pictures and playlists; SeniorEditor also publishes and deletes; Administrator also manages projects, users, keys and webhooks.
             * @example JuniorEditor
             * @enum {string}
             */
            Role: "Reader" | "Uploader" | "JuniorEditor" | "SeniorEditor" | "Administrator";
            ProjectRoles: {
                /** Format: int64 */
                ProjectId: number;
                /**
                 * @description Reader reads; Uploader also uploads and edits own files; JuniorEditor also edits metadata, pictures and playlists; SeniorEditor also publishes and deletes; Administrator also manages projects, users, keys and webhooks.
                 * @example JuniorEditor
                 * @enum {string}
                 */
                Role: "Reader" | "Uploader" | "JuniorEditor" | "SeniorEditor" | "Administrator";
            }[];
            IsEnabled: boolean;
            /** @description Whether a password was set to sign in to the console. */
            HasPassword: boolean;
            LastSignInAt: string | null;
            /**
             * Format: int64
             * @description Keys that are neither revoked nor expired.
             */
            ApiKeyCount: number;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            CreatedAt: string;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            LastUpdateAt: string;
        };
        /**
         * @description A long-lived token of one user, without the token itself.
         * @example {
         *       "Id": "3f2b8a52-6a0e-4c1c-9a57-0d6f2f9f1c11",
         *       "Label": "Newsroom back end",
         *       "UserId": 7,
         *       "Scopes": [
         *         "files:*",
         *         "projects:read"
         *       ],
         *       "ProjectIds": [
         *         3
         *       ],
         *       "LastFour": "x7Qg",
         *       "IsEnabled": true,
         *       "CreatedAt": "2026-03-01T12:00:00+00:00",
         *       "ExpiresAt": "2027-03-01T12:00:00+00:00",
         *       "RevokedAt": null,
         *       "LastUsedAt": "2026-03-02T08:15:30+00:00"
         *     }
         */
        ApiKey: {
            /** Format: uuid */
            Id: string;
            Label: string;
            /**
             * Format: int64
             * @description Whose role bounds what the key may do.
             */
            UserId: number;
            Scopes: string[];
            ProjectIds: number[] | null;
            /** @description The last four characters of the token. */
            LastFour: string;
            /** @description Neither revoked nor expired. */
            IsEnabled: boolean;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            CreatedAt: string;
            ExpiresAt: string | null;
            RevokedAt: string | null;
            LastUsedAt: string | null;
        };
        /**
         * @description A new API key with its token.
         * @example {
         *       "Id": "3f2b8a52-6a0e-4c1c-9a57-0d6f2f9f1c11",
         *       "Label": "Newsroom back end",
         *       "UserId": 7,
         *       "Scopes": [
         *         "files:*",
         *         "projects:read"
         *       ],
         *       "ProjectIds": [
         *         3
         *       ],
         *       "LastFour": "x7Qg",
         *       "IsEnabled": true,
         *       "CreatedAt": "2026-03-01T12:00:00+00:00",
         *       "ExpiresAt": "2027-03-01T12:00:00+00:00",
         *       "RevokedAt": null,
         *       "LastUsedAt": null,
         *       "Token": "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSJ9.e30.x7Qg"
         *     }
         */
        NewApiKey: {
            /** Format: uuid */
            Id: string;
            Label: string;
            /**
             * Format: int64
             * @description Whose role bounds what the key may do.
             */
            UserId: number;
            Scopes: string[];
            ProjectIds: number[] | null;
            /** @description The last four characters of the token. */
            LastFour: string;
            /** @description Neither revoked nor expired. */
            IsEnabled: boolean;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            CreatedAt: string;
            ExpiresAt: string | null;
            RevokedAt: string | null;
            LastUsedAt: string | null;
            /** @description The key itself. Shown only now. */
            Token: string;
        };
        /**
         * @description Who a request is, and what it may do.
         * @example {
         *       "Account": {
         *         "Id": 1,
         *         "Name": "My company"
         *       },
         *       "User": {
         *         "Id": 7,
         *         "Email": "kim.lee@example.com",
         *         "Name": "Kim Lee",
         *         "Role": "Reader",
         *         "ProjectRoles": [
         *           {
         *             "ProjectId": 3,
         *             "Role": "SeniorEditor"
         *           }
         *         ],
         *         "IsEnabled": true,
         *         "HasPassword": true,
         *         "LastSignInAt": "2026-03-01T08:30:00+00:00",
         *         "ApiKeyCount": 2,
         *         "CreatedAt": "2026-02-01T12:00:00+00:00",
         *         "LastUpdateAt": "2026-02-01T12:00:00+00:00"
         *       },
         *       "ApiKey": {
         *         "Id": "3f2b8a52-6a0e-4c1c-9a57-0d6f2f9f1c11",
         *         "Label": "Newsroom back end",
         *         "UserId": 7,
         *         "Scopes": [
         *           "files:*",
         *           "projects:read"
         *         ],
         *         "ProjectIds": [
         *           3
         *         ],
         *         "LastFour": "x7Qg",
         *         "IsEnabled": true,
         *         "CreatedAt": "2026-03-01T12:00:00+00:00",
         *         "ExpiresAt": "2027-03-01T12:00:00+00:00",
         *         "RevokedAt": null,
         *         "LastUsedAt": "2026-03-02T08:15:30+00:00"
         *       },
         *       "Permissions": [
         *         "projects:read",
         *         "files:read"
         *       ]
         *     }
         */
        Me: {
            Account: {
                /** Format: int64 */
                Id: number;
                Name: string;
            };
            User: components["schemas"]["User"];
            ApiKey: components["schemas"]["ApiKey"] | null;
            /**
             * @description What this key or session may do: role of the user and scopes of the key together. In projects that ProjectRoles names it may be more or less.
             * @example [
             *       "projects:read",
             *       "files:read",
             *       "files:upload"
             *     ]
             */
            Permissions: string[];
        };
        /**
         * @description One sign-in of one person in one browser.
         * @example {
         *       "Id": "0b7a5f1e-7d15-4f5b-9a43-2f1c5f8f6d10",
         *       "UserId": 7,
         *       "IsCurrent": true,
         *       "Address": "192.0.2.7",
         *       "UserAgent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
         *       "CreatedAt": "2026-03-01T08:30:00.000+00:00",
         *       "LastUsedAt": "2026-03-01T12:00:00.000+00:00",
         *       "ExpiresAt": "2026-03-31T08:30:00.000+00:00"
         *     }
         */
        Session: {
            /** Format: uuid */
            Id: string;
            /** Format: int64 */
            UserId: number;
            /** @description Whether this request was made in it. */
            IsCurrent: boolean;
            /** @description From where the person signed in. */
            Address: string;
            /** @description With what. */
            UserAgent: string;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            CreatedAt: string;
            /**
             * Format: date-time
             * @description To the minute.
             * @example 2026-03-01T12:00:00+00:00
             */
            LastUsedAt: string;
            /**
             * Format: date-time
             * @description It ends at this instant at the latest, and earlier when it is not used.
             * @example 2026-03-01T12:00:00+00:00
             */
            ExpiresAt: string;
        };
        /**
         * @description Who is signed in, and what this person may do.
         * @example {
         *       "Account": {
         *         "Id": 1,
         *         "Name": "My company"
         *       },
         *       "User": {
         *         "Id": 7,
         *         "Email": "kim.lee@example.com",
         *         "Name": "Kim Lee",
         *         "Role": "Reader",
         *         "ProjectRoles": [
         *           {
         *             "ProjectId": 3,
         *             "Role": "SeniorEditor"
         *           }
         *         ],
         *         "IsEnabled": true,
         *         "HasPassword": true,
         *         "LastSignInAt": "2026-03-01T08:30:00+00:00",
         *         "ApiKeyCount": 2,
         *         "CreatedAt": "2026-02-01T12:00:00+00:00",
         *         "LastUpdateAt": "2026-02-01T12:00:00+00:00"
         *       },
         *       "ApiKey": null,
         *       "Permissions": [
         *         "projects:read",
         *         "files:read"
         *       ],
         *       "Session": {
         *         "Id": "0b7a5f1e-7d15-4f5b-9a43-2f1c5f8f6d10",
         *         "UserId": 7,
         *         "IsCurrent": true,
         *         "Address": "192.0.2.7",
         *         "UserAgent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
         *         "CreatedAt": "2026-03-01T08:30:00.000+00:00",
         *         "LastUsedAt": "2026-03-01T12:00:00.000+00:00",
         *         "ExpiresAt": "2026-03-31T08:30:00.000+00:00"
         *       },
         *       "CsrfToken": "pQ5gU0w0R0e3p3x8m2n9bVv5yq1Yt6sXc7dK4hJ2LfA"
         *     }
         */
        SignedIn: {
            Account: {
                /** Format: int64 */
                Id: number;
                Name: string;
            };
            User: components["schemas"]["User"];
            ApiKey: null;
            /**
             * @description What this key or session may do: role of the user and scopes of the key together. In projects that ProjectRoles names it may be more or less.
             * @example [
             *       "projects:read",
             *       "files:read",
             *       "files:upload"
             *     ]
             */
            Permissions: string[];
            Session: components["schemas"]["Session"];
            /** @description To be sent as X-CSRF-Token with every change that is made with the cookie. */
            CsrfToken: string;
        };
        /**
         * @description A link by which a person chooses a password, once.
         * @example {
         *       "Id": 12,
         *       "Email": "kim.lee@example.com",
         *       "UserId": null,
         *       "Role": "Reader",
         *       "ProjectRoles": [
         *         {
         *           "ProjectId": 3,
         *           "Role": "SeniorEditor"
         *         }
         *       ],
         *       "Status": "pending",
         *       "CreatedBy": 1,
         *       "CreatedAt": "2026-03-01T12:00:00.000+00:00",
         *       "ExpiresAt": "2026-03-08T12:00:00.000+00:00",
         *       "AcceptedAt": null,
         *       "RevokedAt": null
         *     }
         */
        Invitation: {
            /** Format: int64 */
            Id: number;
            Email: string;
            /** @description Who chooses a password by it; null for somebody who has not accepted yet. */
            UserId: number | null;
            /** @description What the new user becomes; null for the password link of a user. */
            Role: ("Reader" | "Uploader" | "JuniorEditor" | "SeniorEditor" | "Administrator") | null;
            /** @description In these projects the user has another role than in the rest of the account. */
            ProjectRoles: {
                /** Format: int64 */
                ProjectId: number;
                /**
                 * @description Reader reads; Uploader also uploads and edits own files; JuniorEditor also edits metadata, pictures and playlists; SeniorEditor also publishes and deletes; Administrator also manages projects, users, keys and webhooks.
                 * @example JuniorEditor
                 * @enum {string}
                 */
                Role: "Reader" | "Uploader" | "JuniorEditor" | "SeniorEditor" | "Administrator";
            }[];
            /** @enum {string} */
            Status: "pending" | "accepted" | "revoked" | "expired";
            /**
             * Format: int64
             * @description The user who made it, and answers for its rights.
             */
            CreatedBy: number;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            CreatedAt: string;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            ExpiresAt: string;
            AcceptedAt: string | null;
            RevokedAt: string | null;
        };
        /**
         * @description A new invitation with its link.
         * @example {
         *       "Id": 12,
         *       "Email": "kim.lee@example.com",
         *       "UserId": null,
         *       "Role": "Reader",
         *       "ProjectRoles": [
         *         {
         *           "ProjectId": 3,
         *           "Role": "SeniorEditor"
         *         }
         *       ],
         *       "Status": "pending",
         *       "CreatedBy": 1,
         *       "CreatedAt": "2026-03-01T12:00:00.000+00:00",
         *       "ExpiresAt": "2026-03-08T12:00:00.000+00:00",
         *       "AcceptedAt": null,
         *       "RevokedAt": null,
         *       "Token": "x3mH0d7Wm2dNq4JtCk8rZy1uVb6pLs9fGa5eXo0iTwY",
         *       "URL": "https://video.example.com/accept#x3mH0d7Wm2dNq4JtCk8rZy1uVb6pLs9fGa5eXo0iTwY"
         *     }
         */
        NewInvitation: {
            /** Format: int64 */
            Id: number;
            Email: string;
            /** @description Who chooses a password by it; null for somebody who has not accepted yet. */
            UserId: number | null;
            /** @description What the new user becomes; null for the password link of a user. */
            Role: ("Reader" | "Uploader" | "JuniorEditor" | "SeniorEditor" | "Administrator") | null;
            /** @description In these projects the user has another role than in the rest of the account. */
            ProjectRoles: {
                /** Format: int64 */
                ProjectId: number;
                /**
                 * @description Reader reads; Uploader also uploads and edits own files; JuniorEditor also edits metadata, pictures and playlists; SeniorEditor also publishes and deletes; Administrator also manages projects, users, keys and webhooks.
                 * @example JuniorEditor
                 * @enum {string}
                 */
                Role: "Reader" | "Uploader" | "JuniorEditor" | "SeniorEditor" | "Administrator";
            }[];
            /** @enum {string} */
            Status: "pending" | "accepted" | "revoked" | "expired";
            /**
             * Format: int64
             * @description The user who made it, and answers for its rights.
             */
            CreatedBy: number;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            CreatedAt: string;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            ExpiresAt: string;
            AcceptedAt: string | null;
            RevokedAt: string | null;
            /** @description Shown only now. */
            Token: string;
            /** @description For the person alone: whoever has it can accept. The token stands behind the #, so no log sees it. */
            URL: string;
        };
        /**
         * @description One administrative act: who, from where, what, on which record.
         * @example {
         *       "Id": 41,
         *       "OccurredAt": "2026-03-01T12:00:00.000+00:00",
         *       "Action": "user.updated",
         *       "User": {
         *         "Id": 1,
         *         "Email": "admin@example.com",
         *         "Name": "Administrator"
         *       },
         *       "ApiKeyId": null,
         *       "SessionId": "0b7a5f1e-7d15-4f5b-9a43-2f1c5f8f6d10",
         *       "Address": "192.0.2.7",
         *       "RequestId": "0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21",
         *       "Subject": "User",
         *       "SubjectId": "7",
         *       "Changes": [
         *         {
         *           "Field": "Role",
         *           "Before": "Reader",
         *           "After": "JuniorEditor"
         *         }
         *       ]
         *     }
         */
        AuditEntry: {
            /** Format: int64 */
            Id: number;
            /**
             * Format: date-time
             * @example 2026-03-01T12:00:00+00:00
             */
            OccurredAt: string;
            /** @enum {string} */
            Action: "account.created" | "account.disabled" | "account.enabled" | "apikey.created" | "apikey.updated" | "apikey.rotated" | "apikey.revoked" | "category.created" | "category.updated" | "category.deleted" | "invitation.created" | "invitation.accepted" | "invitation.revoked" | "live.updated" | "live.key-reset" | "live.stopped" | "live.target-created" | "live.target-updated" | "live.target-deleted" | "logo.updated" | "logo.deleted" | "partner.connected" | "partner.updated" | "partner.tested" | "partner.disconnected" | "partner.broken" | "partner.keys-rotated" | "password.changed" | "password.link-created" | "project.created" | "project.updated" | "project.deleted" | "project.restored" | "session.started" | "session.refused" | "session.ended" | "share.created" | "share.updated" | "share.deleted" | "user.created" | "user.updated" | "user.deleted" | "videotype.created" | "videotype.updated" | "videotype.deleted" | "watermark.updated" | "watermark.deleted" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.disabled" | "webhook.secret-rotated" | "webhook.tested" | "webhook.replayed" | "webhook.redelivered";
            User: {
                /** Format: int64 */
                Id: number;
                Email: string;
                Name: string;
            } | null;
            ApiKeyId: string | null;
            SessionId: string | null;
            /** @description The network address that the request came from; empty where it was Zoetrope itself. */
            Address: string;
            /** @description X-Request-Id of the request; likewise. */
            RequestId: string;
            /** @description What kind of record it was done to. */
            Subject: string;
            SubjectId: string;
            Changes: {
                Field: string;
                /** @description As the record shows it. What may hold a secret is hidden, what is long is cut. */
                Before?: unknown;
                /** @description As the record shows it. What may hold a secret is hidden, what is long is cut. */
                After?: unknown;
                /** @description What came into a list. */
                Added?: unknown[];
                /** @description What left it. */
                Removed?: unknown[];
            }[];
        };
    };
    responses: {
        /** @description Nothing has changed since the version that If-None-Match names. */
        NotModified: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The request is not valid: broken JSON, a wrong type, a bad query value, or something well-formed but impossible. `details` names the fields. */
        BadRequest: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": 400,
                 *         "message": "limit must be an integer of at least 1, not 0.",
                 *         "type": "invalid",
                 *         "details": [
                 *           {
                 *             "field": "limit",
                 *             "issue": "must be an integer of at least 1"
                 *           }
                 *         ],
                 *         "requestId": "0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no API key, or one that is malformed, revoked or not of this installation. `type` is `key_expired` for a key that has expired. */
        Unauthorized: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": 401,
                 *         "message": "An API key is needed: send it as \"Authorization: Bearer <API key>\".",
                 *         "type": "unauthorized",
                 *         "requestId": "0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The key or the role of its user does not allow this. */
        Forbidden: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": 403,
                 *         "message": "Your key or role does not allow files:write; ask an administrator for it.",
                 *         "type": "forbidden",
                 *         "requestId": "0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The record does not exist, is deleted, or belongs to another account; which of them is not told. */
        NotFound: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": 404,
                 *         "message": "Project 5 does not exist.",
                 *         "type": "not_found",
                 *         "requestId": "0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description In conflict with the present state of the record, or the `Idempotency-Key` was used for another request or is being worked on. */
        Conflict: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": 409,
                 *         "message": "Project 3 is live; stop the stream first.",
                 *         "type": "conflict",
                 *         "requestId": "0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The record has changed since the version that `If-Match` names; of tus: another version than 1.0.0 was asked for. */
        Stale: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": 412,
                 *         "message": "The record has changed since the version that If-Match names; read it again.",
                 *         "type": "stale",
                 *         "requestId": "0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than what is allowed; or `type` is `quota_exceeded`, and the project has no room for it. */
        TooLarge: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": 413,
                 *         "message": "The body is larger than 1 MiB, the limit for JSON.",
                 *         "type": "too_large",
                 *         "requestId": "0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many requests of this key in a minute, or too many streams; `Retry-After` says when to come back. */
        TooManyRequests: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": 429,
                 *         "message": "This API key or user has made its 600 reads of this minute; go on in 21 s.",
                 *         "type": "rate_limited",
                 *         "requestId": "0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Something went wrong on our side. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": 500,
                 *         "message": "Something went wrong on our side. Try again; if it stays, report the request id.",
                 *         "type": "internal",
                 *         "requestId": "0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The server is starting, stopping, or cannot reach what it depends on; `Retry-After` says when to try again. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": 503,
                 *         "message": "The database cannot be reached just now; try again.",
                 *         "type": "unavailable",
                 *         "requestId": "0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The storage is full. */
        StorageFull: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": 507,
                 *         "message": "The storage is full; free some space, or ask the operator.",
                 *         "type": "storage_full",
                 *         "requestId": "0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
        "Idempotency-Key": string;
        /**
         * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
         * @example "5-12"
         */
        "If-None-Match": string;
        /**
         * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
         * @example "5-12"
         */
        "If-Match": string;
        /**
         * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
         * @example handling=strict
         */
        Prefer: string;
    };
    requestBodies: never;
    headers: {
        /** @description Requests of this kind (reads or writes) in a minute. */
        "RateLimit-Limit": number;
        /** @description How many of them are left in this minute. */
        "RateLimit-Remaining": number;
        /** @description Seconds until the minute is over. */
        "RateLimit-Reset": number;
        /** @description Limit and window in seconds. */
        "RateLimit-Policy": string;
        /** @description Seconds to wait before the next try. */
        "Retry-After": number;
        /** @description Present when the answer is that of an earlier request with the same Idempotency-Key. */
        "Idempotent-Replayed": "true";
        /** @description Names this exchange in our logs and in `error.requestId`: the one that you sent, or a new one. */
        "X-Request-Id": string;
        /** @description The query parameters that are not known here and were ignored, separated by commas. */
        "X-Ignored-Parameters": string;
        /** @description The paths of the fields of the body that are not known here and were ignored, separated by commas. */
        "X-Ignored-Fields": string;
        /** @description The version of what was answered, for `If-None-Match` and `If-Match`. */
        ETag: string;
        /** @description The address of the new record, or where to send the bytes of a new file. */
        Location: string;
        /** @description How to authenticate. */
        "WWW-Authenticate": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listProjects: {
        parameters: {
            query?: {
                /**
                 * @description Records per page, 1–500; larger values are clamped and the effective one is echoed. Default 50.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Records to skip. Default 0.
                 * @example 0
                 */
                offset?: number;
                /** @description `NextCursor` of the page before; costs the same at any depth and keeps the order of the first page. Not together with offset. */
                cursor?: string;
                /** @description What to sort by; ties by Id. Default created. */
                orderBy?: "created" | "updated" | "name";
                /** @description Descending or ascending. Default desc. */
                sort?: "desc" | "asc";
                /**
                 * @description Words over name and description, without regard to case and accents: finds projects that have, for every word, one that begins with it.
                 * @example spring camp
                 */
                search?: string;
                /**
                 * @description Whether the project is live now. true or false.
                 * @example true
                 */
                isLive?: boolean;
                /**
                 * @description Ids of projects, with commas between them.
                 * @example 3,17
                 */
                ids?: string;
                /**
                 * @description Your own references of projects (ExternalId), matched exactly, with commas between them.
                 * @example campaign-2026
                 */
                externalId?: string;
                /**
                 * @description Not before this point in time.
                 * @example 2026-03-01T12:00:00+00:00
                 */
                createdFrom?: string;
                /**
                 * @description Not after this point in time.
                 * @example 2026-03-01T12:00:00+00:00
                 */
                createdTo?: string;
                /**
                 * @description Not before this point in time.
                 * @example 2026-03-01T12:00:00+00:00
                 */
                updatedFrom?: string;
                /**
                 * @description Not after this point in time.
                 * @example 2026-03-01T12:00:00+00:00
                 */
                updatedTo?: string;
                /**
                 * @description true lists deleted projects too, with IsEnabled false, until they are purged. Default false.
                 * @example true
                 */
                includeDeleted?: boolean;
            };
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of projects. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Projects: components["schemas"]["Project"][];
                        /**
                         * Format: int64
                         * @description All records that match, on every page.
                         */
                        TotalCount: number;
                        /**
                         * Format: int64
                         * @description The effective limit.
                         */
                        Limit: number;
                        /** Format: int64 */
                        Offset: number;
                        NextCursor: string | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description A new project; all but its name may be left out. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "Name": "Spring campaign",
                 *       "DefaultReleaseStatus": "unpublished",
                 *       "AllowedDomains": [
                 *         "www.example.com"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @example Spring campaign */
                    Name: string;
                    ExternalId?: string | null;
                    Description?: string | null;
                    DefaultReleaseStatus?: ("draft" | "unpublished" | "published") | null;
                    TokenSecurity?: boolean | null;
                    AllowedDomains?: string[] | null;
                    PlayerTheme?: {
                        Color?: string | null;
                    } | null;
                    EncoderSettings?: {
                        UseEncoding?: boolean | null;
                        EncodingPriority?: number | null;
                        Renditions?: {
                            /**
                             * Format: int32
                             * @description Short side in pixels; never upscaled.
                             */
                            Height: number;
                            /**
                             * Format: int32
                             * @description Peak, bits per second.
                             */
                            VideoBitRate?: number;
                        }[] | null;
                        VideoCodecs?: ("h264" | "hevc" | "av1")[] | null;
                        NormalizeLoudness?: boolean | null;
                        KeepOriginal?: boolean | null;
                    } | null;
                    MetadataFields?: {
                        /** @description Unique; `adsDisabled` is taken. */
                        Name: string;
                        /**
                         * @description `date` is a day (2026-03-01), `datetime` a point in time with UTC offset, `list` an array of strings.
                         * @enum {string}
                         */
                        Type: "string" | "number" | "integer" | "boolean" | "date" | "datetime" | "list";
                        IsRequired?: boolean | null;
                        Values?: string[] | null;
                        Default?: (string | number | boolean | string[]) | null;
                    }[] | null;
                    /** @description Null = no quota. */
                    StorageQuotaBytes?: number | null;
                };
            };
        };
        responses: {
            /** @description The new project. */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getProject: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                projectId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The project. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateProject: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                projectId: number;
            };
            cookie?: never;
        };
        /** @description A partial update: absent = unchanged, null = cleared. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "Description": "Films for the shops",
                 *       "EncoderSettings": {
                 *         "EncodingPriority": 80
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @example Spring campaign */
                    Name?: string;
                    ExternalId?: string | null;
                    Description?: string | null;
                    DefaultReleaseStatus?: ("draft" | "unpublished" | "published") | null;
                    TokenSecurity?: boolean | null;
                    AllowedDomains?: string[] | null;
                    PlayerTheme?: {
                        Color?: string | null;
                    } | null;
                    EncoderSettings?: {
                        UseEncoding?: boolean | null;
                        EncodingPriority?: number | null;
                        Renditions?: {
                            /**
                             * Format: int32
                             * @description Short side in pixels; never upscaled.
                             */
                            Height: number;
                            /**
                             * Format: int32
                             * @description Peak, bits per second.
                             */
                            VideoBitRate?: number;
                        }[] | null;
                        VideoCodecs?: ("h264" | "hevc" | "av1")[] | null;
                        NormalizeLoudness?: boolean | null;
                        KeepOriginal?: boolean | null;
                    } | null;
                    MetadataFields?: {
                        /** @description Unique; `adsDisabled` is taken. */
                        Name: string;
                        /**
                         * @description `date` is a day (2026-03-01), `datetime` a point in time with UTC offset, `list` an array of strings.
                         * @enum {string}
                         */
                        Type: "string" | "number" | "integer" | "boolean" | "date" | "datetime" | "list";
                        IsRequired?: boolean | null;
                        Values?: string[] | null;
                        Default?: (string | number | boolean | string[]) | null;
                    }[] | null;
                    /** @description Null = no quota. */
                    StorageQuotaBytes?: number | null;
                };
            };
        };
        responses: {
            /** @description The whole project. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteProject: {
        parameters: {
            query?: {
                /** @description Delete the files too. */
                cascade?: boolean;
            };
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                projectId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was deleted. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        Id: number;
                        IsEnabled: boolean;
                        /**
                         * Format: date-time
                         * @example 2026-03-01T12:00:00+00:00
                         */
                        DeletedAt: string;
                        /**
                         * Format: date-time
                         * @description Until then the record can be restored.
                         * @example 2026-03-01T12:00:00+00:00
                         */
                        PurgeAt: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    restoreProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                projectId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The project as it is again. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllFiles: {
        parameters: {
            query?: {
                /**
                 * @description Records per page, 1–500; larger values are clamped and the effective one is echoed. Default 50.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Records to skip. Default 0.
                 * @example 0
                 */
                offset?: number;
                /** @description `NextCursor` of the page before; costs the same at any depth and keeps the order of the first page. Not together with offset. */
                cursor?: string;
                /** @description What to sort by; ties by Id. Default created. */
                orderBy?: "created" | "updated" | "title" | "length" | "size" | "name";
                /** @description Descending or ascending. Default desc. */
                sort?: "desc" | "asc";
                /**
                 * @description Only files of these projects, by Id; several, with commas between them.
                 * @example 3
                 */
                projectId?: string;
                /**
                 * @description Words over title, description, tags and original file name, without regard to case and accents: finds files that have, for every word, one that begins with it.
                 * @example interview weath
                 */
                search?: string;
                /**
                 * @description The state: created, uploaded, encoding, playable, finished, failed, degraded. Several, with commas between them, find files with any of them.
                 * @example finished,degraded
                 */
                status?: string;
                /**
                 * @description The release status: draft, unpublished, published. Several, with commas between them, find files with any of them.
                 * @example published
                 */
                releaseStatus?: string;
                /**
                 * @description Whether all processing is done. true or false.
                 * @example true
                 */
                isFinished?: boolean;
                /**
                 * @description Whether the file is encoded and usable. true or false.
                 * @example true
                 */
                isEncoded?: boolean;
                /**
                 * @description Whether something has failed. true or false.
                 * @example true
                 */
                hasErrors?: boolean;
                /**
                 * @description Whether the file is transcoded. true or false.
                 * @example true
                 */
                useEncoding?: boolean;
                /**
                 * @description Id of a category. Several, with commas between them, find files with any of them.
                 * @example 3
                 */
                categoryId?: string;
                /**
                 * @description Id of a video type. Several, with commas between them, find files with any of them.
                 * @example 2
                 */
                videotypeId?: string;
                /**
                 * @description A whole tag, without regard to case and accents. Several, with commas between them, find files with any of them.
                 * @example news
                 */
                tag?: string;
                /**
                 * @description Id of the file. Several, with commas between them, find files with any of them.
                 * @example 17,18
                 */
                ids?: string;
                /**
                 * @description Not before this point in time.
                 * @example 2026-03-01T12:00:00+00:00
                 */
                createdFrom?: string;
                /**
                 * @description Not after this point in time.
                 * @example 2026-03-01T12:00:00+00:00
                 */
                createdTo?: string;
                /**
                 * @description Not before this point in time.
                 * @example 2026-03-01T12:00:00+00:00
                 */
                updatedFrom?: string;
                /**
                 * @description Not after this point in time.
                 * @example 2026-03-01T12:00:00+00:00
                 */
                updatedTo?: string;
                /**
                 * @description Your own reference of the file, its ExternalId; matched exactly. Several, with commas between them, find files with any of them.
                 * @example cms-4711
                 */
                externalId?: string;
                /**
                 * @description The ProgramId of the metadata, matched exactly. Several, with commas between them, find files with any of them.
                 * @example tatort-1182
                 */
                programId?: string;
                /**
                 * @description true lists deleted files too, with IsEnabled false, until they are purged. Default false.
                 * @example true
                 */
                includeDeleted?: boolean;
                /**
                 * @description Together with includeDeleted: false lists deleted files alone. true or false.
                 * @example true
                 */
                isEnabled?: boolean;
                /** @description Values of CustomMetadata, one parameter for each field: customMetadata.<key>=<value>. The key and the value are matched exactly; texts, numbers, booleans and items of lists can be found. Several values, with commas between them, find files with any of them. */
                customMetadata?: {
                    [key: string]: string;
                };
            };
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of files. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Files: components["schemas"]["File"][];
                        /**
                         * Format: int64
                         * @description All records that match, on every page.
                         */
                        TotalCount: number;
                        /**
                         * Format: int64
                         * @description The effective limit.
                         */
                        Limit: number;
                        /** Format: int64 */
                        Offset: number;
                        NextCursor: string | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listFiles: {
        parameters: {
            query?: {
                /**
                 * @description Records per page, 1–500; larger values are clamped and the effective one is echoed. Default 50.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Records to skip. Default 0.
                 * @example 0
                 */
                offset?: number;
                /** @description `NextCursor` of the page before; costs the same at any depth and keeps the order of the first page. Not together with offset. */
                cursor?: string;
                /** @description What to sort by; ties by Id. Default created. */
                orderBy?: "created" | "updated" | "title" | "length" | "size" | "name";
                /** @description Descending or ascending. Default desc. */
                sort?: "desc" | "asc";
                /**
                 * @description Words over title, description, tags and original file name, without regard to case and accents: finds files that have, for every word, one that begins with it.
                 * @example interview weath
                 */
                search?: string;
                /**
                 * @description The state: created, uploaded, encoding, playable, finished, failed, degraded. Several, with commas between them, find files with any of them.
                 * @example finished,degraded
                 */
                status?: string;
                /**
                 * @description The release status: draft, unpublished, published. Several, with commas between them, find files with any of them.
                 * @example published
                 */
                releaseStatus?: string;
                /**
                 * @description Whether all processing is done. true or false.
                 * @example true
                 */
                isFinished?: boolean;
                /**
                 * @description Whether the file is encoded and usable. true or false.
                 * @example true
                 */
                isEncoded?: boolean;
                /**
                 * @description Whether something has failed. true or false.
                 * @example true
                 */
                hasErrors?: boolean;
                /**
                 * @description Whether the file is transcoded. true or false.
                 * @example true
                 */
                useEncoding?: boolean;
                /**
                 * @description Id of a category. Several, with commas between them, find files with any of them.
                 * @example 3
                 */
                categoryId?: string;
                /**
                 * @description Id of a video type. Several, with commas between them, find files with any of them.
                 * @example 2
                 */
                videotypeId?: string;
                /**
                 * @description A whole tag, without regard to case and accents. Several, with commas between them, find files with any of them.
                 * @example news
                 */
                tag?: string;
                /**
                 * @description Id of the file. Several, with commas between them, find files with any of them.
                 * @example 17,18
                 */
                ids?: string;
                /**
                 * @description Not before this point in time.
                 * @example 2026-03-01T12:00:00+00:00
                 */
                createdFrom?: string;
                /**
                 * @description Not after this point in time.
                 * @example 2026-03-01T12:00:00+00:00
                 */
                createdTo?: string;
                /**
                 * @description Not before this point in time.
                 * @example 2026-03-01T12:00:00+00:00
                 */
                updatedFrom?: string;
                /**
                 * @description Not after this point in time.
                 * @example 2026-03-01T12:00:00+00:00
                 */
                updatedTo?: string;
                /**
                 * @description Your own reference of the file, its ExternalId; matched exactly. Several, with commas between them, find files with any of them.
                 * @example cms-4711
                 */
                externalId?: string;
                /**
                 * @description The ProgramId of the metadata, matched exactly. Several, with commas between them, find files with any of them.
                 * @example tatort-1182
                 */
                programId?: string;
                /**
                 * @description true lists deleted files too, with IsEnabled false, until they are purged. Default false.
                 * @example true
                 */
                includeDeleted?: boolean;
                /**
                 * @description Together with includeDeleted: false lists deleted files alone. true or false.
                 * @example true
                 */
                isEnabled?: boolean;
                /** @description Values of CustomMetadata, one parameter for each field: customMetadata.<key>=<value>. The key and the value are matched exactly; texts, numbers, booleans and items of lists can be found. Several values, with commas between them, find files with any of them. */
                customMetadata?: {
                    [key: string]: string;
                };
            };
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                projectId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of files. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Files: components["schemas"]["File"][];
                        /**
                         * Format: int64
                         * @description All records that match, on every page.
                         */
                        TotalCount: number;
                        /**
                         * Format: int64
                         * @description The effective limit.
                         */
                        Limit: number;
                        /** Format: int64 */
                        Offset: number;
                        NextCursor: string | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createFile: {
        parameters: {
            query?: {
                /** @description Name of a raw body; Content-Disposition does as well. */
                fileName?: string;
                /**
                 * @description ExternalId of the file, for raw bodies, and for forms without a part ExternalId.
                 * @example cms-4711
                 */
                externalId?: string;
            };
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                projectId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "FileName": "interview.mp4",
                 *       "FileSize": 48213004,
                 *       "Metadata": {
                 *         "Title": "Interview",
                 *         "Tags": [
                 *           "spring"
                 *         ],
                 *         "ReleaseStatus": "unpublished"
                 *       },
                 *       "EncodingPriority": 50
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Required, unless there is a SourceURI, whose server then names the file.
                     * @example interview.mp4
                     */
                    FileName?: string;
                    /**
                     * @description Zoetrope fetches the source from this http(s) URL by itself; the answer then has no Upload. Credentials in it are kept secret: the record shows it without user, query and fragment.
                     * @example https://media.example.com/interview.mp4
                     */
                    SourceURI?: string;
                    /** @description Only informative: what counts is what the bytes are. */
                    FileFormat?: string;
                    /**
                     * Format: int64
                     * @description Bytes.
                     */
                    FileSize?: number;
                    /**
                     * @description SHA-256 in hex, with or without "sha256:".
                     * @example sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
                     */
                    Checksum?: string;
                    /**
                     * @description The reference of the record in your own system, unique in the project; up to 255 characters without commas and control characters.
                     * @example cms-4711
                     */
                    ExternalId?: string;
                    /**
                     * @description Metadata of a file; absent = unchanged, null = cleared.
                     * @example {
                     *       "Title": "Tides of the North",
                     *       "Category": [
                     *         {
                     *           "CustomId": "cms-17"
                     *         }
                     *       ],
                     *       "Tags": [
                     *         "coast",
                     *         "winter"
                     *       ],
                     *       "CustomMetadata": {
                     *         "department": "News"
                     *       }
                     *     }
                     */
                    Metadata?: {
                        Title?: string | null;
                        Description?: string | null;
                        DisplayTitle?: string | null;
                        DisplayTitleSecondLine?: string | null;
                        ReleaseStatus?: ("draft" | "unpublished" | "published") | null;
                        Category?: (number | {
                            /** Format: int64 */
                            Id: number;
                        } | {
                            CustomId: string;
                        })[] | null;
                        IABCategory?: (number | {
                            /** Format: int64 */
                            Id: number;
                        } | {
                            IABId: string;
                        })[] | null;
                        Share?: (number | {
                            /** Format: int64 */
                            Id: number;
                        } | {
                            CustomId: string;
                        })[] | null;
                        Videotype?: (number | {
                            /** Format: int64 */
                            Id: number;
                        } | {
                            CustomId: string;
                        })[] | null;
                        Tags?: string[] | null;
                        IsPublicAt?: string | null;
                        IsPublicUntil?: string | null;
                        Genre?: string | null;
                        Series?: string | null;
                        NativeLanguage?: string | null;
                        ProgramId?: string | null;
                        Rating?: string | null;
                        Latitude?: number | null;
                        Longitude?: number | null;
                        CustomMetadata?: ({
                            adsDisabled?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                    };
                    UseEncoding?: boolean;
                    /** Format: int32 */
                    EncodingPriority?: number;
                };
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The bytes of the video or audio.
                     */
                    file: string;
                    /**
                     * @description Metadata of a file; absent = unchanged, null = cleared.
                     * @example {
                     *       "Title": "Tides of the North",
                     *       "Category": [
                     *         {
                     *           "CustomId": "cms-17"
                     *         }
                     *       ],
                     *       "Tags": [
                     *         "coast",
                     *         "winter"
                     *       ],
                     *       "CustomMetadata": {
                     *         "department": "News"
                     *       }
                     *     }
                     */
                    Metadata?: {
                        Title?: string | null;
                        Description?: string | null;
                        DisplayTitle?: string | null;
                        DisplayTitleSecondLine?: string | null;
                        ReleaseStatus?: ("draft" | "unpublished" | "published") | null;
                        Category?: (number | {
                            /** Format: int64 */
                            Id: number;
                        } | {
                            CustomId: string;
                        })[] | null;
                        IABCategory?: (number | {
                            /** Format: int64 */
                            Id: number;
                        } | {
                            IABId: string;
                        })[] | null;
                        Share?: (number | {
                            /** Format: int64 */
                            Id: number;
                        } | {
                            CustomId: string;
                        })[] | null;
                        Videotype?: (number | {
                            /** Format: int64 */
                            Id: number;
                        } | {
                            CustomId: string;
                        })[] | null;
                        Tags?: string[] | null;
                        IsPublicAt?: string | null;
                        IsPublicUntil?: string | null;
                        Genre?: string | null;
                        Series?: string | null;
                        NativeLanguage?: string | null;
                        ProgramId?: string | null;
                        Rating?: string | null;
                        Latitude?: number | null;
                        Longitude?: number | null;
                        CustomMetadata?: ({
                            adsDisabled?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                    };
                    /**
                     * @description The reference of the record in your own system, unique in the project; up to 255 characters without commas and control characters.
                     * @example cms-4711
                     */
                    ExternalId?: string;
                };
                "application/octet-stream": string;
                "video/*": string;
                "audio/*": string;
            };
        };
        responses: {
            /** @description The file; `Location` is where the bytes go, or the record. */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedFile"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getFile: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                projectId: number;
                fileId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateFile: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                projectId: number;
                fileId: number;
            };
            cookie?: never;
        };
        /** @description A partial update: absent = unchanged, null = back to the default. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "EncodingPriority": 80,
                 *       "Metadata": {
                 *         "Title": "Interview",
                 *         "ReleaseStatus": "published"
                 *       }
                 *     }
                 */
                "application/json": {
                    ExternalId?: string | null;
                    UseEncoding?: boolean | null;
                    EncodingPriority?: number | null;
                    /**
                     * @description Metadata of a file; absent = unchanged, null = cleared.
                     * @example {
                     *       "Title": "Tides of the North",
                     *       "Category": [
                     *         {
                     *           "CustomId": "cms-17"
                     *         }
                     *       ],
                     *       "Tags": [
                     *         "coast",
                     *         "winter"
                     *       ],
                     *       "CustomMetadata": {
                     *         "department": "News"
                     *       }
                     *     }
                     */
                    Metadata?: {
                        Title?: string | null;
                        Description?: string | null;
                        DisplayTitle?: string | null;
                        DisplayTitleSecondLine?: string | null;
                        ReleaseStatus?: ("draft" | "unpublished" | "published") | null;
                        Category?: (number | {
                            /** Format: int64 */
                            Id: number;
                        } | {
                            CustomId: string;
                        })[] | null;
                        IABCategory?: (number | {
                            /** Format: int64 */
                            Id: number;
                        } | {
                            IABId: string;
                        })[] | null;
                        Share?: (number | {
                            /** Format: int64 */
                            Id: number;
                        } | {
                            CustomId: string;
                        })[] | null;
                        Videotype?: (number | {
                            /** Format: int64 */
                            Id: number;
                        } | {
                            CustomId: string;
                        })[] | null;
                        Tags?: string[] | null;
                        IsPublicAt?: string | null;
                        IsPublicUntil?: string | null;
                        Genre?: string | null;
                        Series?: string | null;
                        NativeLanguage?: string | null;
                        ProgramId?: string | null;
                        Rating?: string | null;
                        Latitude?: number | null;
                        Longitude?: number | null;
                        CustomMetadata?: ({
                            adsDisabled?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                    };
                };
            };
        };
        responses: {
            /** @description The whole file. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteFile: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                projectId: number;
                fileId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was deleted. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        Id: number;
                        IsEnabled: boolean;
                        /**
                         * Format: date-time
                         * @example 2026-03-01T12:00:00+00:00
                         */
                        DeletedAt: string;
                        /**
                         * Format: date-time
                         * @description Until then the record can be restored.
                         * @example 2026-03-01T12:00:00+00:00
                         */
                        PurgeAt: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateFileMetadata: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                projectId: number;
                fileId: number;
            };
            cookie?: never;
        };
        /** @description Metadata of a file; absent = unchanged, null = cleared. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "Title": "Tides of the North",
                 *       "Category": [
                 *         {
                 *           "CustomId": "cms-17"
                 *         }
                 *       ],
                 *       "Tags": [
                 *         "coast",
                 *         "winter"
                 *       ],
                 *       "CustomMetadata": {
                 *         "department": "News"
                 *       }
                 *     }
                 */
                "application/json": {
                    Title?: string | null;
                    Description?: string | null;
                    DisplayTitle?: string | null;
                    DisplayTitleSecondLine?: string | null;
                    ReleaseStatus?: ("draft" | "unpublished" | "published") | null;
                    Category?: (number | {
                        /** Format: int64 */
                        Id: number;
                    } | {
                        CustomId: string;
                    })[] | null;
                    IABCategory?: (number | {
                        /** Format: int64 */
                        Id: number;
                    } | {
                        IABId: string;
                    })[] | null;
                    Share?: (number | {
                        /** Format: int64 */
                        Id: number;
                    } | {
                        CustomId: string;
                    })[] | null;
                    Videotype?: (number | {
                        /** Format: int64 */
                        Id: number;
                    } | {
                        CustomId: string;
                    })[] | null;
                    Tags?: string[] | null;
                    IsPublicAt?: string | null;
                    IsPublicUntil?: string | null;
                    Genre?: string | null;
                    Series?: string | null;
                    NativeLanguage?: string | null;
                    ProgramId?: string | null;
                    Rating?: string | null;
                    Latitude?: number | null;
                    Longitude?: number | null;
                    CustomMetadata?: ({
                        adsDisabled?: boolean | null;
                    } & {
                        [key: string]: unknown;
                    }) | null;
                };
            };
        };
        responses: {
            /** @description The whole file. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createClip: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                projectId: number;
                fileId: number;
            };
            cookie?: never;
        };
        /** @description The part of a file that becomes a file of its own. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "StartTime": 12.5,
                 *       "EndTime": 42,
                 *       "Metadata": {
                 *         "Title": "The mayor in half a minute"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Seconds from the start of the file. */
                    StartTime: number;
                    /** @description Seconds from the start of the file; within its Length. */
                    EndTime: number;
                    /** @description Default: that of the file. */
                    FileName?: string;
                    /**
                     * @description The reference of the record in your own system, unique in the project; up to 255 characters without commas and control characters.
                     * @example cms-4711
                     */
                    ExternalId?: string;
                    /**
                     * @description Metadata of a file; absent = unchanged, null = cleared.
                     * @example {
                     *       "Title": "Tides of the North",
                     *       "Category": [
                     *         {
                     *           "CustomId": "cms-17"
                     *         }
                     *       ],
                     *       "Tags": [
                     *         "coast",
                     *         "winter"
                     *       ],
                     *       "CustomMetadata": {
                     *         "department": "News"
                     *       }
                     *     }
                     */
                    Metadata?: {
                        Title?: string | null;
                        Description?: string | null;
                        DisplayTitle?: string | null;
                        DisplayTitleSecondLine?: string | null;
                        ReleaseStatus?: ("draft" | "unpublished" | "published") | null;
                        Category?: (number | {
                            /** Format: int64 */
                            Id: number;
                        } | {
                            CustomId: string;
                        })[] | null;
                        IABCategory?: (number | {
                            /** Format: int64 */
                            Id: number;
                        } | {
                            IABId: string;
                        })[] | null;
                        Share?: (number | {
                            /** Format: int64 */
                            Id: number;
                        } | {
                            CustomId: string;
                        })[] | null;
                        Videotype?: (number | {
                            /** Format: int64 */
                            Id: number;
                        } | {
                            CustomId: string;
                        })[] | null;
                        Tags?: string[] | null;
                        IsPublicAt?: string | null;
                        IsPublicUntil?: string | null;
                        Genre?: string | null;
                        Series?: string | null;
                        NativeLanguage?: string | null;
                        ProgramId?: string | null;
                        Rating?: string | null;
                        Latitude?: number | null;
                        Longitude?: number | null;
                        CustomMetadata?: ({
                            adsDisabled?: boolean | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                    };
                };
            };
        };
        responses: {
            /** @description The new file, which has no bytes yet. */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    restoreFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                projectId: number;
                fileId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file as it is again. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    retryFile: {
        parameters: {
            query?: {
                /** @description Also when nothing has failed. */
                force?: boolean;
            };
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                projectId: number;
                fileId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, whose processing begins. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPlaylists: {
        parameters: {
            query?: {
                /**
                 * @description Records per page, 1–500; larger values are clamped and the effective one is echoed. Default 50.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Records to skip. Default 0.
                 * @example 0
                 */
                offset?: number;
                /** @description `NextCursor` of the page before; costs the same at any depth and keeps the order of the first page. Not together with offset. */
                cursor?: string;
                /** @description What to sort by; ties by Id. Default created. */
                orderBy?: "created" | "updated" | "name";
                /** @description Descending or ascending. Default desc. */
                sort?: "desc" | "asc";
                /**
                 * @description Words that Name or Description must all hold, without regard to case and accents.
                 * @example highlights
                 */
                search?: string;
                /**
                 * @description manual or automatic; several are separated by commas.
                 * @example manual
                 */
                type?: string;
                /**
                 * @description Only playlists of these projects, by Id; several are separated by commas.
                 * @example 3
                 */
                projectId?: string;
                /**
                 * @description draft, unpublished or published; several are separated by commas.
                 * @example published
                 */
                releaseStatus?: string;
                /**
                 * @description Your own references of playlists (ExternalId), matched exactly; several are separated by commas.
                 * @example show-12
                 */
                externalId?: string;
                /**
                 * @description true: deleted ones too, with IsEnabled false, until they are purged.
                 * @example true
                 */
                includeDeleted?: boolean;
            };
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of playlists. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Playlists: components["schemas"]["PlaylistSummary"][];
                        /**
                         * Format: int64
                         * @description All records that match, on every page.
                         */
                        TotalCount: number;
                        /**
                         * Format: int64
                         * @description The effective limit.
                         */
                        Limit: number;
                        /** Format: int64 */
                        Offset: number;
                        NextCursor: string | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createPlaylist: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "Name": "Highlights of the week",
                 *       "Type": "manual",
                 *       "ProjectId": 3,
                 *       "ReleaseStatus": "published",
                 *       "Elements": [
                 *         {
                 *           "FileId": 17
                 *         },
                 *         {
                 *           "FileId": 12
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @example Highlights */
                    Name: string;
                    /**
                     * @description manual: you put the files in order; automatic: rules find them. It cannot be changed later.
                     * @enum {string}
                     */
                    Type?: "manual" | "automatic";
                    ExternalId?: string | null;
                    Description?: string | null;
                    ProjectId?: number | null;
                    ReleaseStatus?: ("draft" | "unpublished" | "published") | null;
                    Elements?: ({
                        /** Format: int64 */
                        FileId: number;
                    } | number)[] | null;
                    Rules?: {
                        /**
                         * @description Whether all conditions must hold, or one. Default all.
                         * @enum {string}
                         */
                        Match?: "all" | "any";
                        /** @description Empty = every file. */
                        Conditions?: {
                            /** @description Title, Description, Tags, Category, Videotype, Status, ReleaseStatus, Length, Size, CreatedAt, LastUpdateAt, ProjectId, Genre, Series, NativeLanguage, OriginalFileName, or CustomMetadata.<name>. */
                            Field: string;
                            /**
                             * @description Which of them a field takes depends on what it holds; an answer of 400 names them.
                             * @enum {string}
                             */
                            Operator: "equals" | "notEquals" | "contains" | "notContains" | "startsWith" | "greaterThan" | "lessThan" | "in" | "isEmpty" | "isNotEmpty" | "before" | "after" | "withinDays";
                            Value?: (string | number | boolean | (string | number)[]) | null;
                        }[];
                        /**
                         * @description What the elements are sorted by. Default created.
                         * @enum {string}
                         */
                        OrderBy?: "created" | "updated" | "title" | "length" | "size";
                        /**
                         * @description Default desc.
                         * @enum {string}
                         */
                        Sort?: "desc" | "asc";
                        /**
                         * Format: int32
                         * @description At most so many elements, the first in that order. Default 1000.
                         */
                        Limit?: number;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The whole playlist. */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Playlist"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPlaylist: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                playlistId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole playlist. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Playlist"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updatePlaylist: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                playlistId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "Name": "Highlights",
                 *       "Elements": [
                 *         {
                 *           "FileId": 12
                 *         },
                 *         {
                 *           "FileId": 17
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @example Highlights */
                    Name?: string;
                    /**
                     * @description manual: you put the files in order; automatic: rules find them. It cannot be changed later.
                     * @enum {string}
                     */
                    Type?: "manual" | "automatic";
                    ExternalId?: string | null;
                    Description?: string | null;
                    ProjectId?: number | null;
                    ReleaseStatus?: ("draft" | "unpublished" | "published") | null;
                    Elements?: ({
                        /** Format: int64 */
                        FileId: number;
                    } | number)[] | null;
                    Rules?: {
                        /**
                         * @description Whether all conditions must hold, or one. Default all.
                         * @enum {string}
                         */
                        Match?: "all" | "any";
                        /** @description Empty = every file. */
                        Conditions?: {
                            /** @description Title, Description, Tags, Category, Videotype, Status, ReleaseStatus, Length, Size, CreatedAt, LastUpdateAt, ProjectId, Genre, Series, NativeLanguage, OriginalFileName, or CustomMetadata.<name>. */
                            Field: string;
                            /**
                             * @description Which of them a field takes depends on what it holds; an answer of 400 names them.
                             * @enum {string}
                             */
                            Operator: "equals" | "notEquals" | "contains" | "notContains" | "startsWith" | "greaterThan" | "lessThan" | "in" | "isEmpty" | "isNotEmpty" | "before" | "after" | "withinDays";
                            Value?: (string | number | boolean | (string | number)[]) | null;
                        }[];
                        /**
                         * @description What the elements are sorted by. Default created.
                         * @enum {string}
                         */
                        OrderBy?: "created" | "updated" | "title" | "length" | "size";
                        /**
                         * @description Default desc.
                         * @enum {string}
                         */
                        Sort?: "desc" | "asc";
                        /**
                         * Format: int32
                         * @description At most so many elements, the first in that order. Default 1000.
                         */
                        Limit?: number;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The whole playlist. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Playlist"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deletePlaylist: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                playlistId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was deleted. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        Id: number;
                        IsEnabled: boolean;
                        /**
                         * Format: date-time
                         * @example 2026-03-01T12:00:00+00:00
                         */
                        DeletedAt: string;
                        /**
                         * Format: date-time
                         * @description Until then the record can be restored.
                         * @example 2026-03-01T12:00:00+00:00
                         */
                        PurgeAt: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    restorePlaylist: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                playlistId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole playlist. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Playlist"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    addPlaylistElements: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                playlistId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "Elements": [
                 *         {
                 *           "FileId": 17
                 *         }
                 *       ],
                 *       "Position": 1
                 *     }
                 */
                "application/json": {
                    /** @description The files of a manual playlist in order, 1000 at most; a file may stand in it more than once. */
                    Elements: ({
                        /** Format: int64 */
                        FileId: number;
                    } | number)[];
                    /**
                     * Format: int64
                     * @description Where the first of them goes; what was there moves on. Default: behind the last one.
                     */
                    Position?: number;
                };
            };
        };
        responses: {
            /** @description The whole playlist. */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Playlist"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewPlaylist: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description What an automatic playlist would be made of. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "ProjectId": 3,
                 *       "Rules": {
                 *         "Conditions": [
                 *           {
                 *             "Field": "Tags",
                 *             "Operator": "contains",
                 *             "Value": "news"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    ProjectId?: number | null;
                    /**
                     * @description Which files an automatic playlist holds; asked anew whenever it is read.
                     * @example {
                     *       "Match": "all",
                     *       "Conditions": [
                     *         {
                     *           "Field": "Tags",
                     *           "Operator": "contains",
                     *           "Value": "highlights"
                     *         },
                     *         {
                     *           "Field": "CreatedAt",
                     *           "Operator": "withinDays",
                     *           "Value": 30
                     *         }
                     *       ],
                     *       "OrderBy": "created",
                     *       "Sort": "desc",
                     *       "Limit": 50
                     *     }
                     */
                    Rules?: {
                        /**
                         * @description Whether all conditions must hold, or one. Default all.
                         * @enum {string}
                         */
                        Match?: "all" | "any";
                        /** @description Empty = every file. */
                        Conditions?: {
                            /** @description Title, Description, Tags, Category, Videotype, Status, ReleaseStatus, Length, Size, CreatedAt, LastUpdateAt, ProjectId, Genre, Series, NativeLanguage, OriginalFileName, or CustomMetadata.<name>. */
                            Field: string;
                            /**
                             * @description Which of them a field takes depends on what it holds; an answer of 400 names them.
                             * @enum {string}
                             */
                            Operator: "equals" | "notEquals" | "contains" | "notContains" | "startsWith" | "greaterThan" | "lessThan" | "in" | "isEmpty" | "isNotEmpty" | "before" | "after" | "withinDays";
                            Value?: (string | number | boolean | (string | number)[]) | null;
                        }[];
                        /**
                         * @description What the elements are sorted by. Default created.
                         * @enum {string}
                         */
                        OrderBy?: "created" | "updated" | "title" | "length" | "size";
                        /**
                         * @description Default desc.
                         * @enum {string}
                         */
                        Sort?: "desc" | "asc";
                        /**
                         * Format: int32
                         * @description At most so many elements, the first in that order. Default 1000.
                         */
                        Limit?: number;
                    };
                };
            };
        };
        responses: {
            /** @description What they find. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        ElementCount: number;
                        /** @description Seconds, of those elements whose length is known. */
                        TotalLength: number;
                        Elements: {
                            /**
                             * Format: int64
                             * @description Counts from 1.
                             */
                            Position: number;
                            /** Format: int64 */
                            FileId: number;
                            /** Format: int64 */
                            ProjectId: number;
                            Title: string;
                            Length: number | null;
                            ThumbURI: string | null;
                            /** @description Viewers get media only when it is published. */
                            ReleaseStatus: "draft" | "unpublished" | "published";
                            /** @description Viewers get it once it is published, too. */
                            IsPlayable: boolean;
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCategories: {
        parameters: {
            query?: {
                /**
                 * @description Records per page, 1–500; larger values are clamped and the effective one is echoed. Default 50.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Records to skip. Default 0.
                 * @example 0
                 */
                offset?: number;
                /** @description `NextCursor` of the page before; costs the same at any depth and keeps the order of the first page. Not together with offset. */
                cursor?: string;
                /** @description What to sort by; ties by Id. Default created. */
                orderBy?: "created" | "updated" | "name" | "label";
                /** @description Descending or ascending. Default desc. */
                sort?: "desc" | "asc";
                /** @description Words that the Label or the CustomId must all hold, without regard to case. */
                search?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of categories. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Categories: components["schemas"]["Category"][];
                        /**
                         * Format: int64
                         * @description All records that match, on every page.
                         */
                        TotalCount: number;
                        /**
                         * Format: int64
                         * @description The effective limit.
                         */
                        Limit: number;
                        /** Format: int64 */
                        Offset: number;
                        NextCursor: string | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCategory: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "Label": "Nature",
                 *       "CustomId": "cms-17"
                 *     }
                 */
                "application/json": {
                    /** @description What people see; unique, without regard to case. */
                    Label: string;
                    CustomId?: string | null;
                };
            };
        };
        responses: {
            /** @description The whole category. */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Category"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCategory: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                categoryId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole category. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Category"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateCategory: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                categoryId: number;
            };
            cookie?: never;
        };
        /** @description A partial update: absent = unchanged, null = cleared. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "Label": "Renamed"
                 *     }
                 */
                "application/json": {
                    /** @description What people see; unique, without regard to case. */
                    Label?: string;
                    CustomId?: string | null;
                };
            };
        };
        responses: {
            /** @description The whole category. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Category"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteCategory: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                categoryId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was deleted. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        Id: number;
                        IsEnabled: boolean;
                        /**
                         * Format: date-time
                         * @example 2026-03-01T12:00:00+00:00
                         */
                        DeletedAt: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listVideotypes: {
        parameters: {
            query?: {
                /**
                 * @description Records per page, 1–500; larger values are clamped and the effective one is echoed. Default 50.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Records to skip. Default 0.
                 * @example 0
                 */
                offset?: number;
                /** @description `NextCursor` of the page before; costs the same at any depth and keeps the order of the first page. Not together with offset. */
                cursor?: string;
                /** @description What to sort by; ties by Id. Default created. */
                orderBy?: "created" | "updated" | "name" | "label";
                /** @description Descending or ascending. Default desc. */
                sort?: "desc" | "asc";
                /** @description Words that the Label or the CustomId must all hold, without regard to case. */
                search?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of video types. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Videotypes: components["schemas"]["Videotype"][];
                        /**
                         * Format: int64
                         * @description All records that match, on every page.
                         */
                        TotalCount: number;
                        /**
                         * Format: int64
                         * @description The effective limit.
                         */
                        Limit: number;
                        /** Format: int64 */
                        Offset: number;
                        NextCursor: string | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createVideotype: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "Label": "Trailer",
                 *       "CustomId": "cms-17"
                 *     }
                 */
                "application/json": {
                    /** @description What people see; unique, without regard to case. */
                    Label: string;
                    CustomId?: string | null;
                };
            };
        };
        responses: {
            /** @description The whole video type. */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Videotype"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getVideotype: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                videotypeId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole video type. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Videotype"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateVideotype: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                videotypeId: number;
            };
            cookie?: never;
        };
        /** @description A partial update: absent = unchanged, null = cleared. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "Label": "Renamed"
                 *     }
                 */
                "application/json": {
                    /** @description What people see; unique, without regard to case. */
                    Label?: string;
                    CustomId?: string | null;
                };
            };
        };
        responses: {
            /** @description The whole video type. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Videotype"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteVideotype: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                videotypeId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was deleted. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        Id: number;
                        IsEnabled: boolean;
                        /**
                         * Format: date-time
                         * @example 2026-03-01T12:00:00+00:00
                         */
                        DeletedAt: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listShares: {
        parameters: {
            query?: {
                /**
                 * @description Records per page, 1–500; larger values are clamped and the effective one is echoed. Default 50.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Records to skip. Default 0.
                 * @example 0
                 */
                offset?: number;
                /** @description `NextCursor` of the page before; costs the same at any depth and keeps the order of the first page. Not together with offset. */
                cursor?: string;
                /** @description What to sort by; ties by Id. Default created. */
                orderBy?: "created" | "updated" | "name" | "label";
                /** @description Descending or ascending. Default desc. */
                sort?: "desc" | "asc";
                /** @description Words that the Label or the CustomId must all hold, without regard to case. */
                search?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of shares. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Shares: components["schemas"]["Share"][];
                        /**
                         * Format: int64
                         * @description All records that match, on every page.
                         */
                        TotalCount: number;
                        /**
                         * Format: int64
                         * @description The effective limit.
                         */
                        Limit: number;
                        /** Format: int64 */
                        Offset: number;
                        NextCursor: string | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createShare: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "Label": "Partner sites",
                 *       "CustomId": "cms-17"
                 *     }
                 */
                "application/json": {
                    /** @description What people see; unique, without regard to case. */
                    Label: string;
                    CustomId?: string | null;
                };
            };
        };
        responses: {
            /** @description The whole share. */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Share"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getShare: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                shareId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole share. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Share"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateShare: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                shareId: number;
            };
            cookie?: never;
        };
        /** @description A partial update: absent = unchanged, null = cleared. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "Label": "Renamed"
                 *     }
                 */
                "application/json": {
                    /** @description What people see; unique, without regard to case. */
                    Label?: string;
                    CustomId?: string | null;
                };
            };
        };
        responses: {
            /** @description The whole share. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Share"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteShare: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                shareId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was deleted. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        Id: number;
                        IsEnabled: boolean;
                        /**
                         * Format: date-time
                         * @example 2026-03-01T12:00:00+00:00
                         */
                        DeletedAt: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listIabCategories: {
        parameters: {
            query?: {
                /**
                 * @description Records per page, 1–500; larger values are clamped and the effective one is echoed. Default 50.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Records to skip. Default 0.
                 * @example 0
                 */
                offset?: number;
                /** @description `NextCursor` of the page before; costs the same at any depth and keeps the order of the first page. Not together with offset. */
                cursor?: string;
                /** @description What to sort by; ties by Id. Default created. */
                orderBy?: "created" | "name" | "label";
                /** @description Descending or ascending. Default desc. */
                sort?: "desc" | "asc";
                /** @description Words that the Label or the IABId must all hold, without regard to case. */
                search?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of IAB categories. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        IABCategories: components["schemas"]["IABCategory"][];
                        /**
                         * Format: int64
                         * @description All records that match, on every page.
                         */
                        TotalCount: number;
                        /**
                         * Format: int64
                         * @description The effective limit.
                         */
                        Limit: number;
                        /** Format: int64 */
                        Offset: number;
                        NextCursor: string | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    signPlayout: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                projectId: number;
                fileId: number;
            };
            cookie?: never;
        };
        /** @description How long the links work; may be left out. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "ValidSeconds": 3600
                 *     }
                 */
                "application/json": {
                    ValidSeconds?: number | null;
                    ExpiresAt?: string | null;
                };
            };
        };
        responses: {
            /** @description The links and their end. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        HLS: string | null;
                        DASH: string | null;
                        MP4: string | null;
                        EmbedURI: string | null;
                        Storyboard: string | null;
                        M4A: string | null;
                        ThumbnailURI: string | null;
                        AnimatedURI: string | null;
                        /** @description The token that the links carry in their path, for `data-token` and `setToken` of the player. It opens these links alone. */
                        Token: string;
                        /**
                         * Format: date-time
                         * @description When the links stop working.
                         * @example 2026-03-01T12:00:00+00:00
                         */
                        ExpiresAt: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPlayouts: {
        parameters: {
            query?: {
                /**
                 * @description Records per page, 1–500; larger values are clamped and the effective one is echoed. Default 50.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Records to skip. Default 0.
                 * @example 0
                 */
                offset?: number;
                /** @description `NextCursor` of the page before; costs the same at any depth and keeps the order of the first page. Not together with offset. */
                cursor?: string;
                /** @description What to sort by; ties by Id. Default created. */
                orderBy?: "created";
                /** @description Descending or ascending. Default desc. */
                sort?: "desc" | "asc";
            };
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                projectId: number;
                fileId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The playouts. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Playouts: {
                            /** Format: uuid */
                            Id: string;
                            Label: string;
                            IsDefault: boolean;
                            HLS: string | null;
                            DASH: string | null;
                            MP4: string | null;
                            EmbedURI: string | null;
                            Storyboard: string | null;
                            M4A: string | null;
                            ThumbnailURI: string | null;
                            AnimatedURI: string | null;
                            Captions: components["schemas"]["Caption"][];
                            Preview: {
                                HLS: string | null;
                                DASH: string | null;
                                EmbedURI: string | null;
                                /**
                                 * Format: date-time
                                 * @example 2026-03-01T12:00:00+00:00
                                 */
                                ExpiresAt: string;
                                MP4: string | null;
                                Storyboard: string | null;
                                M4A: string | null;
                                ThumbnailURI: string | null;
                                AnimatedURI: string | null;
                                Captions: components["schemas"]["Caption"][];
                            };
                        }[];
                        /**
                         * Format: int64
                         * @description All records that match, on every page.
                         */
                        TotalCount: number;
                        /**
                         * Format: int64
                         * @description The effective limit.
                         */
                        Limit: number;
                        /** Format: int64 */
                        Offset: number;
                        NextCursor: string | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    signPlaylistPlayout: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                playlistId: number;
            };
            cookie?: never;
        };
        /** @description How long the links work; may be left out. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "ValidSeconds": 3600
                 *     }
                 */
                "application/json": {
                    ValidSeconds?: number | null;
                    ExpiresAt?: string | null;
                };
            };
        };
        responses: {
            /** @description The links and their end. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        HLS: string | null;
                        DASH: string | null;
                        MP4: string | null;
                        EmbedURI: string | null;
                        /** @description Public lists of the elements, as JSON Feed 1.1 and as Media RSS, and the stream. */
                        FeedURIs: {
                            /** Format: uri */
                            JSON: string;
                            /** Format: uri */
                            MRSS: string;
                            HLS: string | null;
                        };
                        /** @description The token that the links carry in their path, for `data-token` and `setToken` of the player. It opens these links alone. */
                        Token: string;
                        /**
                         * Format: date-time
                         * @description When the links stop working.
                         * @example 2026-03-01T12:00:00+00:00
                         */
                        ExpiresAt: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPlaylistPlayouts: {
        parameters: {
            query?: {
                /**
                 * @description Records per page, 1–500; larger values are clamped and the effective one is echoed. Default 50.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Records to skip. Default 0.
                 * @example 0
                 */
                offset?: number;
                /** @description `NextCursor` of the page before; costs the same at any depth and keeps the order of the first page. Not together with offset. */
                cursor?: string;
                /** @description What to sort by; ties by Id. Default created. */
                orderBy?: "created";
                /** @description Descending or ascending. Default desc. */
                sort?: "desc" | "asc";
            };
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                playlistId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The playouts. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Playouts: {
                            /** Format: uuid */
                            Id: string;
                            Label: string;
                            IsDefault: boolean;
                            HLS: string | null;
                            DASH: string | null;
                            MP4: string | null;
                            EmbedURI: string | null;
                            Preview: {
                                HLS: string | null;
                                DASH: string | null;
                                EmbedURI: string | null;
                                /**
                                 * Format: date-time
                                 * @example 2026-03-01T12:00:00+00:00
                                 */
                                ExpiresAt: string;
                                /** @description Public lists of the elements, as JSON Feed 1.1 and as Media RSS, and the stream. */
                                FeedURIs: {
                                    /** Format: uri */
                                    JSON: string;
                                    /** Format: uri */
                                    MRSS: string;
                                    HLS: string | null;
                                };
                            };
                        }[];
                        /**
                         * Format: int64
                         * @description All records that match, on every page.
                         */
                        TotalCount: number;
                        /**
                         * Format: int64
                         * @description The effective limit.
                         */
                        Limit: number;
                        /** Format: int64 */
                        Offset: number;
                        NextCursor: string | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLiveIngest: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                projectId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveIngest"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateLiveIngest: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                projectId: number;
            };
            cookie?: never;
        };
        /** @description A partial update: absent = unchanged, null = the default. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "UseLowLatency": true,
                 *       "TimeshiftDuration": 3600,
                 *       "AutoRecording": true
                 *     }
                 */
                "application/json": {
                    Title?: string | null;
                    BoardText?: string | null;
                    EndedText?: string | null;
                    ReleaseStatus?: ("draft" | "unpublished" | "published") | null;
                    StreamInType?: ("rtmp" | "srt" | "whip" | "rtmp-pull" | "srt-pull" | "hls-pull") | null;
                    StreamInURI?: string | null;
                    UseLowLatency?: boolean | null;
                    TimeshiftDuration?: number | null;
                    ReconnectWindow?: number | null;
                    AutomaticTranscoding?: boolean | null;
                    Renditions?: {
                        /**
                         * Format: int32
                         * @description Short side in pixels; never upscaled.
                         */
                        Height: number;
                        /**
                         * Format: int32
                         * @description Peak, bits per second.
                         */
                        VideoBitRate?: number;
                    }[] | null;
                    AutoRecording?: boolean | null;
                    IsEnabled?: boolean | null;
                };
            };
        };
        responses: {
            /** @description All settings. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveIngest"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resetLiveKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                projectId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings, with the new key. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveIngest"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLiveStatus: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                projectId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How it is now. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveStatus"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    stopLive: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                projectId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How it is now. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveStatus"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    startLiveRecording: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                projectId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How it is now. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveStatus"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    stopLiveRecording: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                projectId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How it is now. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveStatus"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    clipLive: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                projectId: number;
            };
            cookie?: never;
        };
        /** @description What to keep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "Duration": 30,
                 *       "Title": "The goal"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: int32
                     * @description How many of the last seconds, as far as they are still there.
                     */
                    Duration: number;
                    Title?: string | null;
                };
            };
        };
        responses: {
            /** @description The new file. */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    listLiveLog: {
        parameters: {
            query?: {
                /**
                 * @description Records per page, 1–500; larger values are clamped and the effective one is echoed. Default 50.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Records to skip. Default 0.
                 * @example 0
                 */
                offset?: number;
                /** @description `NextCursor` of the page before; costs the same at any depth and keeps the order of the first page. Not together with offset. */
                cursor?: string;
                /** @description What to sort by; ties by Id. Default created. */
                orderBy?: "created";
                /** @description Descending or ascending. Default desc. */
                sort?: "desc" | "asc";
            };
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                projectId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of them. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        LogEntries: components["schemas"]["LiveLogEntry"][];
                        /**
                         * Format: int64
                         * @description All records that match, on every page.
                         */
                        TotalCount: number;
                        /**
                         * Format: int64
                         * @description The effective limit.
                         */
                        Limit: number;
                        /** Format: int64 */
                        Offset: number;
                        NextCursor: string | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listLiveRecordings: {
        parameters: {
            query?: {
                /**
                 * @description Records per page, 1–500; larger values are clamped and the effective one is echoed. Default 50.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Records to skip. Default 0.
                 * @example 0
                 */
                offset?: number;
                /** @description `NextCursor` of the page before; costs the same at any depth and keeps the order of the first page. Not together with offset. */
                cursor?: string;
                /** @description What to sort by; ties by Id. Default created. */
                orderBy?: "created";
                /** @description Descending or ascending. Default desc. */
                sort?: "desc" | "asc";
            };
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                projectId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of them. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Recordings: components["schemas"]["LiveRecording"][];
                        /**
                         * Format: int64
                         * @description All records that match, on every page.
                         */
                        TotalCount: number;
                        /**
                         * Format: int64
                         * @description The effective limit.
                         */
                        Limit: number;
                        /** Format: int64 */
                        Offset: number;
                        NextCursor: string | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listLiveTargets: {
        parameters: {
            query?: {
                /**
                 * @description Records per page, 1–500; larger values are clamped and the effective one is echoed. Default 50.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Records to skip. Default 0.
                 * @example 0
                 */
                offset?: number;
                /** @description `NextCursor` of the page before; costs the same at any depth and keeps the order of the first page. Not together with offset. */
                cursor?: string;
                /** @description What to sort by; ties by Id. Default created. */
                orderBy?: "created";
                /** @description Descending or ascending. Default desc. */
                sort?: "desc" | "asc";
            };
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                projectId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of them. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Targets: components["schemas"]["LiveTarget"][];
                        /**
                         * Format: int64
                         * @description All records that match, on every page.
                         */
                        TotalCount: number;
                        /**
                         * Format: int64
                         * @description The effective limit.
                         */
                        Limit: number;
                        /** Format: int64 */
                        Offset: number;
                        NextCursor: string | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createLiveTarget: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                projectId: number;
            };
            cookie?: never;
        };
        /** @description Where the stream is pushed on to: ServerURI and StreamKey, or both in one as URI. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "Label": "YouTube",
                 *       "ServerURI": "rtmps://live.example.com/app",
                 *       "StreamKey": "their-stream-key"
                 *     }
                 */
                "application/json": {
                    Label?: string | null;
                    IsEnabled?: boolean | null;
                    /**
                     * @description rtmp or rtmps, with the stream key as the last part of the path. Send this, or ServerURI and StreamKey.
                     * @example rtmps://live.example.com/app/their-stream-key
                     */
                    URI?: string;
                    /**
                     * @description The server URL as platforms show it, without the stream key. A new one must come with StreamKey.
                     * @example rtmps://live.example.com/app
                     */
                    ServerURI?: string;
                    /**
                     * @description The stream key as platforms show it. Kept encrypted and not shown again.
                     * @example their-stream-key
                     */
                    StreamKey?: string;
                };
            };
        };
        responses: {
            /** @description The new target. */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveTarget"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLiveTarget: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                projectId: number;
                targetId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The target. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveTarget"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateLiveTarget: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                projectId: number;
                targetId: number;
            };
            cookie?: never;
        };
        /** @description A partial update: absent = unchanged. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "IsEnabled": false
                 *     }
                 */
                "application/json": {
                    Label?: string | null;
                    IsEnabled?: boolean | null;
                    /**
                     * @description rtmp or rtmps, with the stream key as the last part of the path. Send this, or ServerURI and StreamKey.
                     * @example rtmps://live.example.com/app/their-stream-key
                     */
                    URI?: string;
                    /**
                     * @description The server URL as platforms show it, without the stream key. A new one must come with StreamKey.
                     * @example rtmps://live.example.com/app
                     */
                    ServerURI?: string;
                    /**
                     * @description The stream key as platforms show it. Kept encrypted and not shown again.
                     * @example their-stream-key
                     */
                    StreamKey?: string;
                };
            };
        };
        responses: {
            /** @description The whole target. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveTarget"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteLiveTarget: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                projectId: number;
                targetId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was deleted. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        Id: number;
                        IsEnabled: boolean;
                        /**
                         * Format: date-time
                         * @example 2026-03-01T12:00:00+00:00
                         */
                        DeletedAt: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLiveOutput: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                projectId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The output. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveOutput"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    signLiveOutput: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                projectId: number;
            };
            cookie?: never;
        };
        /** @description How long the links work; may be left out. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "ValidSeconds": 3600
                 *     }
                 */
                "application/json": {
                    ValidSeconds?: number | null;
                    ExpiresAt?: string | null;
                };
            };
        };
        responses: {
            /** @description The links and their end. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uri */
                        HLS: string;
                        LLHLS: string | null;
                        /** Format: uri */
                        DASH: string;
                        /** Format: uri */
                        PlayerURL: string;
                        /** @description The token that the links carry in their path, for `data-token` and `setToken` of the player. It opens these links alone. */
                        Token: string;
                        /**
                         * Format: date-time
                         * @description When the links stop working.
                         * @example 2026-03-01T12:00:00+00:00
                         */
                        ExpiresAt: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /**
                 * @description Records per page, 1–500; larger values are clamped and the effective one is echoed. Default 50.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Records to skip. Default 0.
                 * @example 0
                 */
                offset?: number;
                /** @description `NextCursor` of the page before; costs the same at any depth and keeps the order of the first page. Not together with offset. */
                cursor?: string;
                /** @description What to sort by; ties by Id. Default created. */
                orderBy?: "created" | "updated" | "name" | "email";
                /** @description Descending or ascending. Default desc. */
                sort?: "desc" | "asc";
                /** @description Only users with this role in the account; several separated by commas: Reader, Uploader, JuniorEditor, SeniorEditor, Administrator. */
                role?: string;
                /** @description Only enabled users, or only disabled ones. */
                isEnabled?: boolean;
                /**
                 * @description Only users who have a role of their own in this project. Several separated by commas.
                 * @example 7
                 */
                projectId?: string;
                /** @description Words in name and e-mail; all must be there. */
                search?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of users. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Users: components["schemas"]["User"][];
                        /**
                         * Format: int64
                         * @description All records that match, on every page.
                         */
                        TotalCount: number;
                        /**
                         * Format: int64
                         * @description The effective limit.
                         */
                        Limit: number;
                        /** Format: int64 */
                        Offset: number;
                        NextCursor: string | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "Email": "kim.lee@example.com",
                 *       "Name": "Kim Lee",
                 *       "Role": "Reader",
                 *       "ProjectRoles": [
                 *         {
                 *           "ProjectId": 3,
                 *           "Role": "SeniorEditor"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: email
                     * @description Unique on the installation without regard to case; kept in lower case.
                     * @example kim.lee@example.com
                     */
                    Email: string;
                    Name?: string | null;
                    /**
                     * @description Reader reads; Uploader also uploads and edits own files; JuniorEditor also edits metadata, pictures and playlists; SeniorEditor also publishes and deletes; Administrator also manages projects, users, keys and webhooks.
                     * @example JuniorEditor
                     * @enum {string}
                     */
                    Role: "Reader" | "Uploader" | "JuniorEditor" | "SeniorEditor" | "Administrator";
                    ProjectRoles?: {
                        /** Format: int64 */
                        ProjectId: number;
                        /**
                         * @description Reader reads; Uploader also uploads and edits own files; JuniorEditor also edits metadata, pictures and playlists; SeniorEditor also publishes and deletes; Administrator also manages projects, users, keys and webhooks.
                         * @example JuniorEditor
                         * @enum {string}
                         */
                        Role: "Reader" | "Uploader" | "JuniorEditor" | "SeniorEditor" | "Administrator";
                    }[] | null;
                    IsEnabled?: boolean;
                };
            };
        };
        responses: {
            /** @description The new user. */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                userId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                userId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "Role": "JuniorEditor"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: email
                     * @description Unique on the installation without regard to case; kept in lower case.
                     * @example kim.lee@example.com
                     */
                    Email?: string;
                    Name?: string | null;
                    /**
                     * @description Reader reads; Uploader also uploads and edits own files; JuniorEditor also edits metadata, pictures and playlists; SeniorEditor also publishes and deletes; Administrator also manages projects, users, keys and webhooks.
                     * @example JuniorEditor
                     * @enum {string}
                     */
                    Role?: "Reader" | "Uploader" | "JuniorEditor" | "SeniorEditor" | "Administrator";
                    ProjectRoles?: {
                        /** Format: int64 */
                        ProjectId: number;
                        /**
                         * @description Reader reads; Uploader also uploads and edits own files; JuniorEditor also edits metadata, pictures and playlists; SeniorEditor also publishes and deletes; Administrator also manages projects, users, keys and webhooks.
                         * @example JuniorEditor
                         * @enum {string}
                         */
                        Role: "Reader" | "Uploader" | "JuniorEditor" | "SeniorEditor" | "Administrator";
                    }[] | null;
                    IsEnabled?: boolean | null;
                };
            };
        };
        responses: {
            /** @description The whole user. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                userId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was deleted. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        Id: number;
                        IsEnabled: boolean;
                        /**
                         * Format: date-time
                         * @example 2026-03-01T12:00:00+00:00
                         */
                        DeletedAt: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who asks. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateMe: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "Name": "Kim Lee"
                 *     }
                 */
                "application/json": {
                    Name?: string | null;
                };
            };
        };
        responses: {
            /** @description Who asks. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who is signed in. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "Email": "kim.lee@example.com",
                 *       "Password": "three quiet lighthouses"
                 *     }
                 */
                "application/json": {
                    /** @example kim.lee@example.com */
                    Email: string;
                    Password: string;
                };
            };
        };
        responses: {
            /** @description Who is signed in; the cookie comes with it. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            /** @description The request is not valid: broken JSON, a wrong type, a bad query value, or something well-formed but impossible. `details` names the fields. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": 400,
                     *         "message": "limit must be an integer of at least 1, not 0.",
                     *         "type": "invalid",
                     *         "details": [
                     *           {
                     *             "field": "limit",
                     *             "issue": "must be an integer of at least 1"
                     *           }
                     *         ],
                     *         "requestId": "0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no API key, or one that is malformed, revoked or not of this installation. `type` is `key_expired` for a key that has expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": 401,
                     *         "message": "An API key is needed: send it as \"Authorization: Bearer <API key>\".",
                     *         "type": "unauthorized",
                     *         "requestId": "0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key or the role of its user does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": 403,
                     *         "message": "Your key or role does not allow files:write; ask an administrator for it.",
                     *         "type": "forbidden",
                     *         "requestId": "0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests of this key in a minute, or too many streams; `Retry-After` says when to come back. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": 429,
                     *         "message": "This API key or user has made its 600 reads of this minute; go on in 21 s.",
                     *         "type": "rate_limited",
                     *         "requestId": "0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Which session has ended. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        Id: string;
                        IsEnabled: boolean;
                        /**
                         * Format: date-time
                         * @example 2026-03-01T12:00:00+00:00
                         */
                        DeletedAt: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /**
                 * @description Records per page, 1–500; larger values are clamped and the effective one is echoed. Default 50.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Records to skip. Default 0.
                 * @example 0
                 */
                offset?: number;
                /** @description `NextCursor` of the page before; costs the same at any depth and keeps the order of the first page. Not together with offset. */
                cursor?: string;
                /** @description What to sort by; ties by Id. Default created. */
                orderBy?: "created";
                /** @description Descending or ascending. Default desc. */
                sort?: "desc" | "asc";
                /**
                 * @description Of this user instead of mine. Several separated by commas.
                 * @example 7
                 */
                userId?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of sessions. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Sessions: components["schemas"]["Session"][];
                        /**
                         * Format: int64
                         * @description All records that match, on every page.
                         */
                        TotalCount: number;
                        /**
                         * Format: int64
                         * @description The effective limit.
                         */
                        Limit: number;
                        /** Format: int64 */
                        Offset: number;
                        NextCursor: string | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0b7a5f1e-7d15-4f5b-9a43-2f1c5f8f6d10 */
                sessionUuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Which session has ended. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        Id: string;
                        IsEnabled: boolean;
                        /**
                         * Format: date-time
                         * @example 2026-03-01T12:00:00+00:00
                         */
                        DeletedAt: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "CurrentPassword": "three quiet lighthouses",
                 *       "NewPassword": "a ferry on the ninth wave"
                 *     }
                 */
                "application/json": {
                    CurrentPassword: string;
                    /**
                     * @description At least 10 characters; not made of the e-mail address.
                     * @example three quiet lighthouses
                     */
                    NewPassword: string;
                };
            };
        };
        responses: {
            /** @description The user whose password it is. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /**
                 * @description Records per page, 1–500; larger values are clamped and the effective one is echoed. Default 50.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Records to skip. Default 0.
                 * @example 0
                 */
                offset?: number;
                /** @description `NextCursor` of the page before; costs the same at any depth and keeps the order of the first page. Not together with offset. */
                cursor?: string;
                /** @description What to sort by; ties by Id. Default created. */
                orderBy?: "created";
                /** @description Descending or ascending. Default desc. */
                sort?: "desc" | "asc";
                /**
                 * @description Only those that are pending, accepted, revoked, expired; several with commas between them.
                 * @example pending
                 */
                status?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of invitations. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Invitations: components["schemas"]["Invitation"][];
                        /**
                         * Format: int64
                         * @description All records that match, on every page.
                         */
                        TotalCount: number;
                        /**
                         * Format: int64
                         * @description The effective limit.
                         */
                        Limit: number;
                        /** Format: int64 */
                        Offset: number;
                        NextCursor: string | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "Email": "kim.lee@example.com",
                 *       "Role": "Reader",
                 *       "ProjectRoles": [
                 *         {
                 *           "ProjectId": 3,
                 *           "Role": "SeniorEditor"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: email
                     * @description Unique on the installation without regard to case; kept in lower case.
                     * @example kim.lee@example.com
                     */
                    Email: string;
                    /**
                     * @description Reader reads; Uploader also uploads and edits own files; JuniorEditor also edits metadata, pictures and playlists; SeniorEditor also publishes and deletes; Administrator also manages projects, users, keys and webhooks.
                     * @example JuniorEditor
                     * @enum {string}
                     */
                    Role: "Reader" | "Uploader" | "JuniorEditor" | "SeniorEditor" | "Administrator";
                    ProjectRoles?: {
                        /** Format: int64 */
                        ProjectId: number;
                        /**
                         * @description Reader reads; Uploader also uploads and edits own files; JuniorEditor also edits metadata, pictures and playlists; SeniorEditor also publishes and deletes; Administrator also manages projects, users, keys and webhooks.
                         * @example JuniorEditor
                         * @enum {string}
                         */
                        Role: "Reader" | "Uploader" | "JuniorEditor" | "SeniorEditor" | "Administrator";
                    }[] | null;
                };
            };
        };
        responses: {
            /** @description The invitation with its link. */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewInvitation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getInvitation: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                invitationId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitation. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                invitationId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was revoked. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        Id: number;
                        IsEnabled: boolean;
                        /**
                         * Format: date-time
                         * @example 2026-03-01T12:00:00+00:00
                         */
                        DeletedAt: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createPasswordLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                userId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link. */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewInvitation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /**
                 * @description Records per page, 1–500; larger values are clamped and the effective one is echoed. Default 50.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Records to skip. Default 0.
                 * @example 0
                 */
                offset?: number;
                /** @description `NextCursor` of the page before; costs the same at any depth and keeps the order of the first page. Not together with offset. */
                cursor?: string;
                /** @description What to sort by; ties by Id. Default created. */
                orderBy?: "created";
                /** @description Descending or ascending. Default desc. */
                sort?: "desc" | "asc";
                /**
                 * @description Only these actions; families such as `user.*` too, with commas between them.
                 * @example user.*
                 */
                action?: string;
                /**
                 * @description Only what these users did; several with commas between them.
                 * @example 7
                 */
                userId?: string;
                /**
                 * @description Only acts on these kinds of records, such as User or ApiKey.
                 * @example User
                 */
                subject?: string;
                /**
                 * @description Only acts on the records with these ids.
                 * @example 7
                 */
                subjectId?: string;
                /**
                 * @description Only what this request did.
                 * @example 0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21
                 */
                requestId?: string;
                /**
                 * @description Only from this instant on.
                 * @example 2026-03-01T00:00:00+00:00
                 */
                from?: string;
                /**
                 * @description Only before this instant.
                 * @example 2026-04-01T00:00:00+00:00
                 */
                to?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of entries. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        AuditEntries: components["schemas"]["AuditEntry"][];
                        /**
                         * Format: int64
                         * @description All records that match, on every page.
                         */
                        TotalCount: number;
                        /**
                         * Format: int64
                         * @description The effective limit.
                         */
                        Limit: number;
                        /** Format: int64 */
                        Offset: number;
                        NextCursor: string | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /**
                 * @description How many days back `Days` goes, today among them; 1–400. Default 30.
                 * @example 30
                 */
                days?: number;
                /**
                 * @description Only what these projects keep; several with commas between them.
                 * @example 3
                 */
                projectId?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is kept. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProjectUsage: {
        parameters: {
            query?: {
                /**
                 * @description Records per page, 1–500; larger values are clamped and the effective one is echoed. Default 50.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Records to skip. Default 0.
                 * @example 0
                 */
                offset?: number;
                /** @description `NextCursor` of the page before; costs the same at any depth and keeps the order of the first page. Not together with offset. */
                cursor?: string;
                /** @description What to sort by; ties by Id. Default storage. */
                orderBy?: "storage" | "name";
                /** @description Descending or ascending. Default desc. */
                sort?: "desc" | "asc";
            };
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of projects. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Projects: components["schemas"]["ProjectUsage"][];
                        /**
                         * Format: int64
                         * @description All records that match, on every page.
                         */
                        TotalCount: number;
                        /**
                         * Format: int64
                         * @description The effective limit.
                         */
                        Limit: number;
                        /** Format: int64 */
                        Offset: number;
                        NextCursor: string | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCatalogUsage: {
        parameters: {
            query?: {
                /**
                 * @description Records per page, 1–500; larger values are clamped and the effective one is echoed. Default 50.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Records to skip. Default 0.
                 * @example 0
                 */
                offset?: number;
                /** @description `NextCursor` of the page before; costs the same at any depth and keeps the order of the first page. Not together with offset. */
                cursor?: string;
                /** @description What to sort by; ties by Id. Default created. */
                orderBy?: "created";
                /** @description Descending or ascending. Default desc. */
                sort?: "desc" | "asc";
                /**
                 * @description Only these; several with commas between them.
                 * @example 5,17
                 */
                ids?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of categories, video types and shares. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Entries: components["schemas"]["CatalogUsage"][];
                        /**
                         * Format: int64
                         * @description All records that match, on every page.
                         */
                        TotalCount: number;
                        /**
                         * Format: int64
                         * @description The effective limit.
                         */
                        Limit: number;
                        /** Format: int64 */
                        Offset: number;
                        NextCursor: string | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEncodings: {
        parameters: {
            query?: {
                /**
                 * @description Records per page, 1–500; larger values are clamped and the effective one is echoed. Default 50.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Records to skip. Default 0.
                 * @example 0
                 */
                offset?: number;
                /** @description `NextCursor` of the page before; costs the same at any depth and keeps the order of the first page. Not together with offset. */
                cursor?: string;
                /** @description What to sort by; ties by Id. Default priority. */
                orderBy?: "priority" | "created";
                /** @description Descending or ascending. Default desc. */
                sort?: "desc" | "asc";
                /**
                 * @description Only files of these projects; several with commas between them.
                 * @example 3
                 */
                projectId?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the queue. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Encodings: components["schemas"]["Encoding"][];
                        /**
                         * Format: int64
                         * @description All records that match, on every page.
                         */
                        TotalCount: number;
                        /**
                         * Format: int64
                         * @description The effective limit.
                         */
                        Limit: number;
                        /** Format: int64 */
                        Offset: number;
                        NextCursor: string | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /**
                 * @description Records per page, 1–500; larger values are clamped and the effective one is echoed. Default 50.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Records to skip. Default 0.
                 * @example 0
                 */
                offset?: number;
                /** @description `NextCursor` of the page before; costs the same at any depth and keeps the order of the first page. Not together with offset. */
                cursor?: string;
                /** @description What to sort by; ties by Id. Default created. */
                orderBy?: "created" | "name" | "lastUsed";
                /** @description Descending or ascending. Default desc. */
                sort?: "desc" | "asc";
                /**
                 * @description Only keys of this user. Several separated by commas.
                 * @example 7
                 */
                userId?: string;
                /** @description Only keys that are revoked, or are not. */
                isRevoked?: boolean;
                /** @description Only keys that work, neither revoked nor expired; or do not. */
                isEnabled?: boolean;
                /** @description Words in the label; all must be there. */
                search?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of keys. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ApiKeys: components["schemas"]["ApiKey"][];
                        /**
                         * Format: int64
                         * @description All records that match, on every page.
                         */
                        TotalCount: number;
                        /**
                         * Format: int64
                         * @description The effective limit.
                         */
                        Limit: number;
                        /** Format: int64 */
                        Offset: number;
                        NextCursor: string | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "Label": "Newsroom back end",
                 *       "Scopes": [
                 *         "files:*",
                 *         "projects:read"
                 *       ],
                 *       "ProjectIds": [
                 *         3
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @example Newsroom back end */
                    Label: string;
                    /**
                     * Format: int64
                     * @description For whom; by default the user of the calling key.
                     */
                    UserId?: number;
                    /**
                     * @description Permissions such as files:upload, families such as files:*, or * for all that the role of the user allows.
                     * @example [
                     *       "files:*",
                     *       "projects:read"
                     *     ]
                     */
                    Scopes?: string[];
                    ProjectIds?: number[] | null;
                    /** @description In whole seconds; null = never. By default never, or when the calling key ends; no key makes one that outlives it. */
                    ExpiresAt?: string | null;
                };
            };
        };
        responses: {
            /** @description The key with its token. */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @example 3f2b8a52-6a0e-4c1c-9a57-0d6f2f9f1c11 */
                keyUuid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "OverlapSeconds": 3600
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: int32
                     * @description How long the old key still works; 0 revokes it at once. Default 86400.
                     */
                    OverlapSeconds?: number;
                    /** @description When the new key expires; null = never. By default it lives as long as the old one was given, but no longer than the calling key; no key makes one that outlives it. */
                    ExpiresAt?: string | null;
                };
            };
        };
        responses: {
            /** @description The new key with its token. */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @example 3f2b8a52-6a0e-4c1c-9a57-0d6f2f9f1c11 */
                keyUuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @example 3f2b8a52-6a0e-4c1c-9a57-0d6f2f9f1c11 */
                keyUuid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "Label": "Newsroom, read only",
                 *       "Scopes": [
                 *         "files:read"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @example Newsroom back end */
                    Label?: string;
                    /**
                     * @description Permissions such as files:upload, families such as files:*, or * for all that the role of the user allows.
                     * @example [
                     *       "files:*",
                     *       "projects:read"
                     *     ]
                     */
                    Scopes?: string[];
                    ProjectIds?: number[] | null;
                    ExpiresAt?: string | null;
                };
            };
        };
        responses: {
            /** @description The whole key. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @example 3f2b8a52-6a0e-4c1c-9a57-0d6f2f9f1c11 */
                keyUuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was revoked. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        Id: string;
                        IsEnabled: boolean;
                        /**
                         * Format: date-time
                         * @example 2026-03-01T12:00:00+00:00
                         */
                        DeletedAt: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /**
                 * @description Records per page, 1–500; larger values are clamped and the effective one is echoed. Default 50.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Records to skip. Default 0.
                 * @example 0
                 */
                offset?: number;
                /** @description `NextCursor` of the page before; costs the same at any depth and keeps the order of the first page. Not together with offset. */
                cursor?: string;
                /** @description What to sort by; ties by Id. Default created. */
                orderBy?: "created" | "updated" | "name" | "health";
                /** @description Descending or ascending. Default desc. */
                sort?: "desc" | "asc";
            };
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of webhooks. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Webhooks: components["schemas"]["Webhook"][];
                        /**
                         * Format: int64
                         * @description All records that match, on every page.
                         */
                        TotalCount: number;
                        /**
                         * Format: int64
                         * @description The effective limit.
                         */
                        Limit: number;
                        /** Format: int64 */
                        Offset: number;
                        NextCursor: string | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "Label": "Newsroom",
                 *       "TargetURL": "https://example.com/webhooks",
                 *       "EventTypes": [
                 *         "file.new",
                 *         "live.*"
                 *       ],
                 *       "ProjectId": null,
                 *       "CustomHeaders": {
                 *         "X-Tenant": "newsroom"
                 *       },
                 *       "IsEnabled": true,
                 *       "Secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
                 *     }
                 */
                "application/json": {
                    Label?: string | null;
                    /** @description Only events of this project; null = all of the account. */
                    ProjectId?: number | null;
                    CustomHeaders?: {
                        [key: string]: string;
                    } | null;
                    IsEnabled?: boolean | null;
                    /**
                     * @description https, on port 80, 443 or from 1024. Its query is kept; ProjectId, FileId and event are added. Or `zoetrope:inspector`: requests stay here and are shown by …/inspectedrequests.
                     * @example https://example.com/webhooks
                     */
                    TargetURL: string;
                    /**
                     * @description Names of events, families such as `file.*`, or `*`.
                     * @example [
                     *       "file.new",
                     *       "live.*"
                     *     ]
                     */
                    EventTypes: string[];
                    /** @description At least 16 characters, or `whsec_` and the base64 of at least 16 bytes. Default: a random one. */
                    Secret?: string;
                };
            };
        };
        responses: {
            /** @description The webhook and its secret. */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                webhookId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: {
                /** @description Together with IsEnabled: cancel the deliveries that wait instead of keeping them. 400 while the webhook is and stays enabled. */
                discard?: boolean;
            };
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                webhookId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "EventTypes": [
                 *         "file.*"
                 *       ],
                 *       "ProjectId": 3
                 *     }
                 */
                "application/json": {
                    Label?: string | null;
                    /** @description Only events of this project; null = all of the account. */
                    ProjectId?: number | null;
                    CustomHeaders?: {
                        [key: string]: string;
                    } | null;
                    IsEnabled?: boolean | null;
                    /**
                     * @description https, on port 80, 443 or from 1024. Its query is kept; ProjectId, FileId and event are added. Or `zoetrope:inspector`: requests stay here and are shown by …/inspectedrequests.
                     * @example https://example.com/webhooks
                     */
                    TargetURL?: string;
                    /**
                     * @description Names of events, families such as `file.*`, or `*`.
                     * @example [
                     *       "file.new",
                     *       "live.*"
                     *     ]
                     */
                    EventTypes?: string[];
                };
            };
        };
        responses: {
            /** @description The whole webhook. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                webhookId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was deleted. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        Id: number;
                        IsEnabled: boolean;
                        /**
                         * Format: date-time
                         * @example 2026-03-01T12:00:00+00:00
                         */
                        DeletedAt: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                webhookId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "Secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
                 *     }
                 */
                "application/json": {
                    /** @description At least 16 characters, or `whsec_` and the base64 of at least 16 bytes. Default: a random one. */
                    Secret?: string;
                };
            };
        };
        responses: {
            /** @description The webhook and its new secret. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                webhookId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery of the event. */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description Records per page, 1–500; larger values are clamped and the effective one is echoed. Default 50.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Records to skip. Default 0.
                 * @example 0
                 */
                offset?: number;
                /** @description `NextCursor` of the page before; costs the same at any depth and keeps the order of the first page. Not together with offset. */
                cursor?: string;
                /** @description What to sort by; ties by Id. Default created. */
                orderBy?: "created";
                /** @description Descending or ascending. Default desc. */
                sort?: "desc" | "asc";
                /**
                 * @description Only deliveries of this status: pending, waiting, delivered, failed, cancelled; several separated by commas mean any of them.
                 * @example failed
                 */
                status?: string;
                /**
                 * @description Only deliveries of events of this name or family such as `file.*`; several separated by commas mean any of them.
                 * @example file.new
                 */
                event?: string;
                /**
                 * @description Only deliveries of events of this file; several separated by commas mean any of them.
                 * @example 5
                 */
                fileId?: string;
                /**
                 * @description Not before this point in time.
                 * @example 2026-03-01T12:00:00+00:00
                 */
                createdFrom?: string;
                /**
                 * @description Not after this point in time.
                 * @example 2026-03-02T12:00:00+00:00
                 */
                createdTo?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                webhookId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of deliveries. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Deliveries: components["schemas"]["Delivery"][];
                        /**
                         * Format: int64
                         * @description All records that match, on every page.
                         */
                        TotalCount: number;
                        /**
                         * Format: int64
                         * @description The effective limit.
                         */
                        Limit: number;
                        /** Format: int64 */
                        Offset: number;
                        NextCursor: string | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                webhookId: number;
                deliveryId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryWithAttempts"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeliver: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                webhookId: number;
                deliveryId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhookHealth: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                webhookId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The health of the endpoint. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookHealth"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhookHours: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                webhookId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The hours, the present one last. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookHours"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listInspectedRequests: {
        parameters: {
            query?: {
                /**
                 * @description Records per page, 1–500; larger values are clamped and the effective one is echoed. Default 50.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Records to skip. Default 0.
                 * @example 0
                 */
                offset?: number;
                /** @description `NextCursor` of the page before; costs the same at any depth and keeps the order of the first page. Not together with offset. */
                cursor?: string;
                /** @description What to sort by; ties by Id. Default created. */
                orderBy?: "created";
                /** @description Descending or ascending. Default desc. */
                sort?: "desc" | "asc";
            };
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                webhookId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of requests. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Requests: components["schemas"]["InspectedRequest"][];
                        /**
                         * Format: int64
                         * @description All records that match, on every page.
                         */
                        TotalCount: number;
                        /**
                         * Format: int64
                         * @description The effective limit.
                         */
                        Limit: number;
                        /** Format: int64 */
                        Offset: number;
                        NextCursor: string | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                webhookId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "From": "2026-03-01T08:00:00+00:00",
                 *       "To": "2026-03-01T12:00:00+00:00",
                 *       "Events": [
                 *         "file.*"
                 *       ],
                 *       "ProjectId": 3
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: date-time
                     * @description Events that happened at this time or later.
                     * @example 2026-03-01T12:00:00+00:00
                     */
                    From: string;
                    /** @description Events that happened at this time or earlier. Default: now. */
                    To?: string | null;
                    /** @description Only these of the events that the webhook subscribes to: names, families such as `file.*`, or `*`. */
                    Events?: string[] | null;
                    /** @description Only events of this project. */
                    ProjectId?: number | null;
                };
            };
        };
        responses: {
            /** @description The replay, under way. */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replay"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getReplay: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                webhookId: number;
                replayId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The replay. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replay"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPartners: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is connected. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Partners"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getIdentityProvider: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connection as it is now. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityProvider"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    connectIdentityProvider: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "Preset": "keycloak",
                 *       "Issuer": "https://login.example.com/realms/main",
                 *       "ClientId": "zoetrope",
                 *       "ClientSecret": "kX3vQm2T0yWn",
                 *       "Scope": "webhooks/send",
                 *       "SignIn": {
                 *         "IsEnabled": true,
                 *         "ClientId": "zoetrope-people",
                 *         "ClientSecret": "b8Kq0cVw5RzN"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Which provider it is: decides what is needed and how the audience is named. `custom` is any other.
                     * @enum {string}
                     */
                    Preset?: "cognito" | "auth0" | "entra" | "keycloak" | "google" | "custom";
                    /**
                     * @description Exactly as the provider writes it. `/.well-known/openid-configuration` below it must be there.
                     * @example https://login.example.com/realms/main
                     */
                    Issuer?: string;
                    /**
                     * @description With `service_account` the e-mail address of the service account.
                     * @example zoetrope
                     */
                    ClientId?: string;
                    Authentication?: ("client_secret_basic" | "client_secret_post" | "private_key_jwt" | "service_account") | null;
                    /** @description Needed again when Preset, Issuer, ClientId or Authentication changes. It is never shown. */
                    ClientSecret?: string;
                    Scope?: string | null;
                    Audience?: string | null;
                    SignIn?: {
                        IsEnabled?: boolean | null;
                        ClientId?: string | null;
                        /** @description Of SignIn.ClientId. Needed again when that, Issuer or Preset changes. Never shown. */
                        ClientSecret?: string;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The connection as it is now. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityProvider"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    disconnectIdentityProvider: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was disconnected. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        Id: number;
                        IsEnabled: boolean;
                        /**
                         * Format: date-time
                         * @example 2026-03-01T12:00:00+00:00
                         */
                        DeletedAt: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testIdentityProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the test came to. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityProviderTest"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateSigningKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "IsCompromised": false
                 *     }
                 */
                "application/json": {
                    IsCompromised?: boolean | null;
                };
            };
        };
        responses: {
            /** @description The connection with its keys as they are now. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityProvider"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createClientKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The public half of the new key. */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClientKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /**
                 * @description Only what came after this EventId, oldest first: call again with the last EventId that you got. 0 = from the oldest event that is kept.
                 * @example 17
                 */
                after?: string;
                /**
                 * @description Names of events or families such as `file.*`; several separated by commas mean any of them.
                 * @example file.new,playlist.*
                 */
                event?: string;
                /**
                 * @description Only events of this project; several separated by commas mean any of them.
                 * @example 3
                 */
                projectId?: string;
                /**
                 * @description Only events of this file; several separated by commas mean any of them.
                 * @example 5
                 */
                fileId?: string;
                /**
                 * @description Only what happened at or after this time.
                 * @example 2026-03-01T00:00:00+00:00
                 */
                occurredFrom?: string;
                /**
                 * @description Only what happened before this time.
                 * @example 2026-04-01T00:00:00+00:00
                 */
                occurredTo?: string;
                /**
                 * @description Records per page, 1–500; larger values are clamped and the effective one is echoed. Default 50.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Records to skip. Default 0.
                 * @example 0
                 */
                offset?: number;
                /** @description `NextCursor` of the page before; costs the same at any depth and keeps the order of the first page. Not together with offset. */
                cursor?: string;
                /** @description What to sort by; ties by Id. Default created. */
                orderBy?: "created";
                /** @description Descending or ascending. Default desc. */
                sort?: "desc" | "asc";
            };
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the log. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Events: components["schemas"]["Event"][];
                        /**
                         * Format: int64
                         * @description All records that match, on every page.
                         */
                        TotalCount: number;
                        /**
                         * Format: int64
                         * @description The effective limit.
                         */
                        Limit: number;
                        /** Format: int64 */
                        Offset: number;
                        NextCursor: string | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                eventId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                /**
                 * @description Begin with what came after this EventId; 0 = the oldest event that is kept. Default: only what happens from now on. `Last-Event-ID` goes before it.
                 * @example 17
                 */
                after?: string;
                /**
                 * @description Names of events or families such as `file.*`; several separated by commas mean any of them.
                 * @example file.new,playlist.*
                 */
                event?: string;
                /**
                 * @description Only events of this project; several separated by commas mean any of them.
                 * @example 3
                 */
                projectId?: string;
                /**
                 * @description Only events of this file; several separated by commas mean any of them.
                 * @example 5
                 */
                fileId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceFile: {
        parameters: {
            query?: {
                /** @description Name of a raw body; Content-Disposition does as well. */
                fileName?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                projectId: number;
                fileId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "FileName": "interview-final.mp4",
                 *       "FileSize": 51002318
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Required, unless there is a SourceURI, whose server then names the file.
                     * @example interview.mp4
                     */
                    FileName?: string;
                    /**
                     * @description Zoetrope fetches the source from this http(s) URL by itself; the answer then has no Upload. Credentials in it are kept secret: the record shows it without user, query and fragment.
                     * @example https://media.example.com/interview.mp4
                     */
                    SourceURI?: string;
                    /** @description Only informative: what counts is what the bytes are. */
                    FileFormat?: string;
                    /**
                     * Format: int64
                     * @description Bytes.
                     */
                    FileSize?: number;
                    /**
                     * @description SHA-256 in hex, with or without "sha256:".
                     * @example sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
                     */
                    Checksum?: string;
                };
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The bytes of the video or audio.
                     */
                    file: string;
                };
                "application/octet-stream": string;
                "video/*": string;
                "audio/*": string;
            };
        };
        responses: {
            /** @description The file as it plays now; after JSON with `Upload`, where the bytes go. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedFile"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Stale"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    createTusUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                projectId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file; `Location` is where its bytes go. A part (Upload-Concat: partial) has no body. */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedFile"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Stale"];
            413: components["responses"]["TooLarge"];
            /** @description The body of a tus request is not of the type application/offset+octet-stream. */
            415: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": 415,
                     *         "message": "The body of a tus request has the Content-Type application/offset+octet-stream.",
                     *         "type": "unsupported_media_type",
                     *         "requestId": "0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            /** @description The bytes do not have the checksum that Upload-Checksum says; they were dropped. */
            460: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": 460,
                     *         "message": "The bytes of this request do not have the sha256 that Upload-Checksum says; they were dropped, send them again.",
                     *         "type": "invalid",
                     *         "requestId": "0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    listCaptions: {
        parameters: {
            query?: {
                /**
                 * @description Records per page, 1–500; larger values are clamped and the effective one is echoed. Default 50.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Records to skip. Default 0.
                 * @example 0
                 */
                offset?: number;
                /** @description `NextCursor` of the page before; costs the same at any depth and keeps the order of the first page. Not together with offset. */
                cursor?: string;
                /** @description What to sort by; ties by Id. Default created. */
                orderBy?: "created";
                /** @description Descending or ascending. Default desc. */
                sort?: "desc" | "asc";
            };
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                projectId: number;
                fileId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of captions. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Captions: components["schemas"]["Caption"][];
                        /**
                         * Format: int64
                         * @description All records that match, on every page.
                         */
                        TotalCount: number;
                        /**
                         * Format: int64
                         * @description The effective limit.
                         */
                        Limit: number;
                        /** Format: int64 */
                        Offset: number;
                        NextCursor: string | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCaption: {
        parameters: {
            query?: {
                /** @description Of a raw text. BCP 47. */
                language?: string;
                /** @description Of a raw text. */
                label?: string;
                /** @description Of a raw text. Default subtitles. */
                kind?: "subtitles" | "captions" | "chapters";
                /** @description Of a raw text. Default false. */
                isDefault?: boolean;
            };
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                projectId: number;
                fileId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "Language": "en",
                 *       "Label": "English",
                 *       "Kind": "subtitles",
                 *       "IsDefault": true,
                 *       "Content": "WEBVTT\n\n00:00:01.000 --> 00:00:04.500\nWelcome to the show.\n"
                 *     }
                 */
                "application/json": {
                    /** @description BCP 47: en, de, pt-BR. One of each kind in a language. */
                    Language: string;
                    Label?: string | null;
                    Kind?: ("subtitles" | "captions" | "chapters") | null;
                    IsDefault?: boolean | null;
                    /** @description WebVTT (it begins with WEBVTT) or SubRip, 5 MiB at most. Chapters are WebVTT, each cue one chapter and its text the title: 500 at most, of 200 characters each. */
                    Content: string;
                };
                "text/vtt": string;
                "application/x-subrip": string;
                "text/plain": string;
                "multipart/form-data": {
                    /** @description BCP 47: en, de, pt-BR. One of each kind in a language. */
                    Language: string;
                    /** @description What people read in the menu of the player; without it, the name of the language in itself. */
                    Label?: string;
                    /** @description captions also tell of sounds, for those who do not hear them; chapters are titles for parts of the video, which the player marks and lists. Default subtitles. */
                    Kind?: "subtitles" | "captions" | "chapters";
                    /** @description Shown unless the viewer chooses otherwise; one of the file at most, and never chapters. Default false. */
                    IsDefault?: boolean;
                    /**
                     * Format: binary
                     * @description WebVTT or SubRip in UTF-8.
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description The new captions. */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Caption"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getCaption: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                projectId: number;
                fileId: number;
                captionId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The captions. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Caption"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateCaption: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                projectId: number;
                fileId: number;
                captionId: number;
            };
            cookie?: never;
        };
        /** @description A partial update: absent = unchanged, null = back to the default. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "Label": "English (UK)",
                 *       "IsDefault": true
                 *     }
                 */
                "application/json": {
                    /** @description BCP 47: en, de, pt-BR. One of each kind in a language. */
                    Language?: string;
                    Label?: string | null;
                    Kind?: ("subtitles" | "captions" | "chapters") | null;
                    IsDefault?: boolean | null;
                    /** @description WebVTT (it begins with WEBVTT) or SubRip, 5 MiB at most. Chapters are WebVTT, each cue one chapter and its text the title: 500 at most, of 200 characters each. */
                    Content?: string;
                };
            };
        };
        responses: {
            /** @description The whole record. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Caption"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Stale"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteCaption: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                projectId: number;
                fileId: number;
                captionId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was deleted. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        Id: number;
                        IsEnabled: boolean;
                        /**
                         * Format: date-time
                         * @example 2026-03-01T12:00:00+00:00
                         */
                        DeletedAt: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPictures: {
        parameters: {
            query?: {
                /**
                 * @description Records per page, 1–500; larger values are clamped and the effective one is echoed. Default 50.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Records to skip. Default 0.
                 * @example 0
                 */
                offset?: number;
                /** @description `NextCursor` of the page before; costs the same at any depth and keeps the order of the first page. Not together with offset. */
                cursor?: string;
                /** @description What to sort by; ties by Id. Default created. */
                orderBy?: "created";
                /** @description Descending or ascending. Default desc. */
                sort?: "desc" | "asc";
            };
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                projectId: number;
                fileId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of pictures. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Pictures: components["schemas"]["Picture"][];
                        /**
                         * Format: int64
                         * @description All records that match, on every page.
                         */
                        TotalCount: number;
                        /**
                         * Format: int64
                         * @description The effective limit.
                         */
                        Limit: number;
                        /** Format: int64 */
                        Offset: number;
                        NextCursor: string | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createPicture: {
        parameters: {
            query?: {
                /** @description Of a raw body. Stands for the file in lists and players. Default true. */
                isStandard?: boolean;
            };
            header?: {
                /** @description A text of your own, such as a UUID, new for each operation. A repetition with the same key gets the answer of the first request for 24 hours, and nothing is done twice; with another body or address it answers 409. A request that failed frees its key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                projectId: number;
                fileId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "Position": 12.5,
                 *       "IsStandard": true
                 *     }
                 */
                "application/json": {
                    /** @description Seconds from the start of the video. */
                    Position: number;
                    IsStandard?: boolean | null;
                };
                "image/jpeg": string;
                "image/png": string;
                "image/webp": string;
                "application/octet-stream": string;
                "multipart/form-data": {
                    /** @description Stands for the file in lists and players. Default true. */
                    IsStandard?: boolean;
                    /**
                     * Format: binary
                     * @description The bytes of a JPEG, PNG or WebP.
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description The new picture. */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Picture"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getPicture: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                projectId: number;
                fileId: number;
                filePictureId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Picture"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updatePicture: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                projectId: number;
                fileId: number;
                filePictureId: number;
            };
            cookie?: never;
        };
        /** @description What can be changed of a picture. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "IsStandard": true
                 *     }
                 */
                "application/json": {
                    IsStandard?: boolean | null;
                };
            };
        };
        responses: {
            /** @description The whole picture. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Picture"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deletePicture: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                projectId: number;
                fileId: number;
                filePictureId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was deleted. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        Id: number;
                        IsEnabled: boolean;
                        /**
                         * Format: date-time
                         * @example 2026-03-01T12:00:00+00:00
                         */
                        DeletedAt: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWatermark: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an earlier answer: where nothing has changed since, 304 comes without a body.
                 * @example "5-12"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                projectId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The watermark. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Watermark"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWatermark: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                projectId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "Picture": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQAAAAA3iMLMAAAADklEQVR4nGP4/5+BFAQA/U4f4cOgO+EAAAAASUVORK5CYII=",
                 *       "Position": "top-right",
                 *       "Opacity": 70,
                 *       "Width": 12
                 *     }
                 */
                "application/json": {
                    /** @description A PNG of 512 KiB at most, in base64, also as a data URI. */
                    Picture?: string;
                    Position?: ("top-left" | "top-right" | "bottom-left" | "bottom-right") | null;
                    Opacity?: number | null;
                    Width?: number | null;
                };
                "image/png": string;
                "application/octet-stream": string;
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The bytes of a PNG.
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description The watermark as it is now. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Watermark"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["Stale"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWatermark: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                projectId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whose watermark was deleted. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        Id: number;
                        IsEnabled: boolean;
                        /**
                         * Format: date-time
                         * @example 2026-03-01T12:00:00+00:00
                         */
                        DeletedAt: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateLogo: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                projectId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "Picture": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQAAAAA3iMLMAAAADklEQVR4nGP4/5+BFAQA/U4f4cOgO+EAAAAASUVORK5CYII=",
                 *       "Position": "top-right",
                 *       "Link": "https://www.example.com/"
                 *     }
                 */
                "application/json": {
                    /** @description A PNG, JPEG or WebP of 512 KiB at most, in base64, also as a data URI. It is drawn anew. */
                    Picture?: string;
                    Position?: ("top-left" | "top-right" | "bottom-left" | "bottom-right") | null;
                    Link?: string | null;
                };
                "image/png": string;
                "image/jpeg": string;
                "image/webp": string;
                "application/octet-stream": string;
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The bytes of a PNG, JPEG or WebP.
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description The whole project. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["Stale"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteLogo: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the record as you know it: where it has changed since, nothing is done and 412 answered. Without it the last writer wins.
                 * @example "5-12"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                projectId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whose logo was deleted. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        Id: number;
                        IsEnabled: boolean;
                        /**
                         * Format: date-time
                         * @example 2026-03-01T12:00:00+00:00
                         */
                        DeletedAt: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["Stale"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "Token": "x3mH0d7Wm2dNq4JtCk8rZy1uVb6pLs9fGa5eXo0iTwY",
                 *       "Password": "three quiet lighthouses",
                 *       "Name": "Kim Lee"
                 *     }
                 */
                "application/json": {
                    /** @description What stands behind the # of the link. */
                    Token: string;
                    /**
                     * @description At least 10 characters; not made of the e-mail address.
                     * @example three quiet lighthouses
                     */
                    Password: string;
                    /** @example Kim Lee */
                    Name?: string;
                };
            };
        };
        responses: {
            /** @description Who is signed in; the cookie comes with it. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            /** @description The request is not valid: broken JSON, a wrong type, a bad query value, or something well-formed but impossible. `details` names the fields. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": 400,
                     *         "message": "limit must be an integer of at least 1, not 0.",
                     *         "type": "invalid",
                     *         "details": [
                     *           {
                     *             "field": "limit",
                     *             "issue": "must be an integer of at least 1"
                     *           }
                     *         ],
                     *         "requestId": "0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no API key, or one that is malformed, revoked or not of this installation. `type` is `key_expired` for a key that has expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": 401,
                     *         "message": "An API key is needed: send it as \"Authorization: Bearer <API key>\".",
                     *         "type": "unauthorized",
                     *         "requestId": "0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key or the role of its user does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": 403,
                     *         "message": "Your key or role does not allow files:write; ask an administrator for it.",
                     *         "type": "forbidden",
                     *         "requestId": "0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The record does not exist, is deleted, or belongs to another account; which of them is not told. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": 404,
                     *         "message": "Project 5 does not exist.",
                     *         "type": "not_found",
                     *         "requestId": "0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description In conflict with the present state of the record, or the `Idempotency-Key` was used for another request or is being worked on. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": 409,
                     *         "message": "Project 3 is live; stop the stream first.",
                     *         "type": "conflict",
                     *         "requestId": "0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests of this key in a minute, or too many streams; `Retry-After` says when to come back. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": 429,
                     *         "message": "This API key or user has made its 600 reads of this minute; go on in 21 s.",
                     *         "type": "rate_limited",
                     *         "requestId": "0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    signInByLink: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `handling=strict` answers 400 for a body with fields that are not known here, in place of naming them in `X-Ignored-Fields` (RFC 7240).
                 * @example handling=strict
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "Token": "x3mH0d7Wm2dNq4JtCk8rZy1uVb6pLs9fGa5eXo0iTwY"
                 *     }
                 */
                "application/json": {
                    /** @description What stands behind the # of the link. */
                    Token: string;
                };
            };
        };
        responses: {
            /** @description Who is signed in; the cookie comes with it. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "X-Ignored-Fields": components["headers"]["X-Ignored-Fields"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            /** @description The request is not valid: broken JSON, a wrong type, a bad query value, or something well-formed but impossible. `details` names the fields. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": 400,
                     *         "message": "limit must be an integer of at least 1, not 0.",
                     *         "type": "invalid",
                     *         "details": [
                     *           {
                     *             "field": "limit",
                     *             "issue": "must be an integer of at least 1"
                     *           }
                     *         ],
                     *         "requestId": "0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no API key, or one that is malformed, revoked or not of this installation. `type` is `key_expired` for a key that has expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": 401,
                     *         "message": "An API key is needed: send it as \"Authorization: Bearer <API key>\".",
                     *         "type": "unauthorized",
                     *         "requestId": "0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key or the role of its user does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": 403,
                     *         "message": "Your key or role does not allow files:write; ask an administrator for it.",
                     *         "type": "forbidden",
                     *         "requestId": "0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The record does not exist, is deleted, or belongs to another account; which of them is not told. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": 404,
                     *         "message": "Project 5 does not exist.",
                     *         "type": "not_found",
                     *         "requestId": "0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests of this key in a minute, or too many streams; `Retry-After` says when to come back. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": 429,
                     *         "message": "This API key or user has made its 600 reads of this minute; go on in 21 s.",
                     *         "type": "rate_limited",
                     *         "requestId": "0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    onFileNew: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The Id of the file in the body. */
                FileId: number;
                /** @description The name of the event. */
                event: "file.new";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "file.new",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "File": {
                 *           "Id": 5,
                 *           "ProjectId": 3,
                 *           "ExternalId": "cms-4711",
                 *           "Name": "3/5/interview.mp4",
                 *           "Status": "finished",
                 *           "IsFinished": true,
                 *           "IsEncoded": true,
                 *           "IsPlayable": true,
                 *           "IsEnabled": true,
                 *           "UseEncoding": true,
                 *           "EncodingPriority": 50,
                 *           "EncodingProgress": 100,
                 *           "EstimatedReadyAt": null,
                 *           "HasErrors": false,
                 *           "ErrorMessage": null,
                 *           "Metadata": {
                 *             "StandardFilePicture": {
                 *               "FilePictureId": 12,
                 *               "AspectRatio": "16:9",
                 *               "AspectRatioClosest": "16:9",
                 *               "URI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/poster.jpg",
                 *               "ThumbURI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/thumb.jpg",
                 *               "SrcPictureURI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/poster.jpg",
                 *               "IsStandard": true,
                 *               "ManualUpload": false
                 *             },
                 *             "Title": "Interview",
                 *             "Description": "The mayor on the new bridge.",
                 *             "DisplayTitle": "A bridge for everybody",
                 *             "DisplayTitleSecondLine": "",
                 *             "ReleaseStatus": "published",
                 *             "Category": [
                 *               {
                 *                 "Id": 2,
                 *                 "Label": "News",
                 *                 "CustomId": "news"
                 *               }
                 *             ],
                 *             "IABCategory": [],
                 *             "Share": [],
                 *             "Videotype": [],
                 *             "Tags": [
                 *               "bridge",
                 *               "city"
                 *             ],
                 *             "IsPublicAt": null,
                 *             "IsPublicUntil": null,
                 *             "Genre": "",
                 *             "Series": "",
                 *             "NativeLanguage": "en",
                 *             "ProgramId": "",
                 *             "Rating": "",
                 *             "Latitude": null,
                 *             "Longitude": null,
                 *             "OriginalFileName": "interview.mp4",
                 *             "CustomMetadata": {
                 *               "adsDisabled": false
                 *             }
                 *           },
                 *           "Properties": {
                 *             "Length": 92.48,
                 *             "Size": 48213004,
                 *             "VideoFormat": "h264",
                 *             "VideoBitRate": 4035120,
                 *             "VideoWidth": 1920,
                 *             "VideoHeight": 1080,
                 *             "VideoFPS": 25,
                 *             "AudioFormat": "aac",
                 *             "AudioBitRate": 128000,
                 *             "AudioSampleRate": 48000,
                 *             "AudioChannels": 2
                 *           },
                 *           "Renditions": [
                 *             {
                 *               "Id": 31,
                 *               "Name": "360p",
                 *               "Type": "video",
                 *               "Language": null,
                 *               "Label": null,
                 *               "IsComplete": true,
                 *               "Codec": "avc1.64001e",
                 *               "Width": 640,
                 *               "Height": 360,
                 *               "FPS": 25,
                 *               "BitRate": 612400,
                 *               "PeakBitRate": 940100,
                 *               "Size": 7079344
                 *             }
                 *           ],
                 *           "Playouts": [
                 *             {
                 *               "Id": "0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *               "Label": "Default",
                 *               "IsDefault": true,
                 *               "HLS": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.m3u8",
                 *               "DASH": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.mpd",
                 *               "MP4": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/download.mp4",
                 *               "EmbedURI": "https://video.example.com/embed/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *               "Storyboard": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/storyboard.vtt",
                 *               "M4A": null,
                 *               "ThumbnailURI": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/thumbnail.jpg",
                 *               "AnimatedURI": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/animated.webp"
                 *             }
                 *           ],
                 *           "Captions": [],
                 *           "Checksum": null,
                 *           "Source": {
                 *             "Kind": "upload",
                 *             "URI": null
                 *           },
                 *           "CreatedBy": 7,
                 *           "Timings": {
                 *             "UploadedAt": "2026-03-01T12:00:00+00:00",
                 *             "PlayableAt": "2026-03-01T12:00:01.204+00:00",
                 *             "EncodedAt": "2026-03-01T12:01:07.918+00:00"
                 *           },
                 *           "CreatedAt": "2026-03-01T11:59:12.031+00:00",
                 *           "LastUpdateAt": "2026-03-01T12:01:07.918+00:00",
                 *           "DeletedAt": null,
                 *           "PurgeAt": null
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "file.new";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFileCreated: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The Id of the file in the body. */
                FileId: number;
                /** @description The name of the event. */
                event: "file.created";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "file.created",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "File": {
                 *           "Id": 5,
                 *           "ProjectId": 3,
                 *           "ExternalId": "cms-4711",
                 *           "Name": "3/5/interview.mp4",
                 *           "Status": "created",
                 *           "IsFinished": false,
                 *           "IsEncoded": false,
                 *           "IsPlayable": false,
                 *           "IsEnabled": true,
                 *           "UseEncoding": true,
                 *           "EncodingPriority": 50,
                 *           "EncodingProgress": 0,
                 *           "EstimatedReadyAt": null,
                 *           "HasErrors": false,
                 *           "ErrorMessage": null,
                 *           "Metadata": {
                 *             "StandardFilePicture": null,
                 *             "Title": "Interview",
                 *             "Description": "The mayor on the new bridge.",
                 *             "DisplayTitle": "A bridge for everybody",
                 *             "DisplayTitleSecondLine": "",
                 *             "ReleaseStatus": "unpublished",
                 *             "Category": [
                 *               {
                 *                 "Id": 2,
                 *                 "Label": "News",
                 *                 "CustomId": "news"
                 *               }
                 *             ],
                 *             "IABCategory": [],
                 *             "Share": [],
                 *             "Videotype": [],
                 *             "Tags": [
                 *               "bridge",
                 *               "city"
                 *             ],
                 *             "IsPublicAt": null,
                 *             "IsPublicUntil": null,
                 *             "Genre": "",
                 *             "Series": "",
                 *             "NativeLanguage": "en",
                 *             "ProgramId": "",
                 *             "Rating": "",
                 *             "Latitude": null,
                 *             "Longitude": null,
                 *             "OriginalFileName": "interview.mp4",
                 *             "CustomMetadata": {
                 *               "adsDisabled": false
                 *             }
                 *           },
                 *           "Properties": null,
                 *           "Renditions": [],
                 *           "Playouts": [
                 *             {
                 *               "Id": "0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *               "Label": "Default",
                 *               "IsDefault": true,
                 *               "HLS": null,
                 *               "DASH": null,
                 *               "MP4": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/download.mp4",
                 *               "EmbedURI": null,
                 *               "Storyboard": null,
                 *               "M4A": null,
                 *               "ThumbnailURI": null,
                 *               "AnimatedURI": null
                 *             }
                 *           ],
                 *           "Captions": [],
                 *           "Checksum": null,
                 *           "Source": {
                 *             "Kind": "upload",
                 *             "URI": null
                 *           },
                 *           "CreatedBy": 7,
                 *           "Timings": {
                 *             "UploadedAt": null,
                 *             "PlayableAt": null,
                 *             "EncodedAt": null
                 *           },
                 *           "CreatedAt": "2026-03-01T11:59:12.031+00:00",
                 *           "LastUpdateAt": "2026-03-01T11:59:12.031+00:00",
                 *           "DeletedAt": null,
                 *           "PurgeAt": null
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "file.created";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFileUploaded: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The Id of the file in the body. */
                FileId: number;
                /** @description The name of the event. */
                event: "file.uploaded";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "file.uploaded",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "File": {
                 *           "Id": 5,
                 *           "ProjectId": 3,
                 *           "ExternalId": "cms-4711",
                 *           "Name": "3/5/interview.mp4",
                 *           "Status": "uploaded",
                 *           "IsFinished": false,
                 *           "IsEncoded": false,
                 *           "IsPlayable": false,
                 *           "IsEnabled": true,
                 *           "UseEncoding": true,
                 *           "EncodingPriority": 50,
                 *           "EncodingProgress": 0,
                 *           "EstimatedReadyAt": null,
                 *           "HasErrors": false,
                 *           "ErrorMessage": null,
                 *           "Metadata": {
                 *             "StandardFilePicture": null,
                 *             "Title": "Interview",
                 *             "Description": "The mayor on the new bridge.",
                 *             "DisplayTitle": "A bridge for everybody",
                 *             "DisplayTitleSecondLine": "",
                 *             "ReleaseStatus": "unpublished",
                 *             "Category": [
                 *               {
                 *                 "Id": 2,
                 *                 "Label": "News",
                 *                 "CustomId": "news"
                 *               }
                 *             ],
                 *             "IABCategory": [],
                 *             "Share": [],
                 *             "Videotype": [],
                 *             "Tags": [
                 *               "bridge",
                 *               "city"
                 *             ],
                 *             "IsPublicAt": null,
                 *             "IsPublicUntil": null,
                 *             "Genre": "",
                 *             "Series": "",
                 *             "NativeLanguage": "en",
                 *             "ProgramId": "",
                 *             "Rating": "",
                 *             "Latitude": null,
                 *             "Longitude": null,
                 *             "OriginalFileName": "interview.mp4",
                 *             "CustomMetadata": {
                 *               "adsDisabled": false
                 *             }
                 *           },
                 *           "Properties": {
                 *             "Length": 92.48,
                 *             "Size": 48213004,
                 *             "VideoFormat": "h264",
                 *             "VideoBitRate": 4035120,
                 *             "VideoWidth": 1920,
                 *             "VideoHeight": 1080,
                 *             "VideoFPS": 25,
                 *             "AudioFormat": "aac",
                 *             "AudioBitRate": 128000,
                 *             "AudioSampleRate": 48000,
                 *             "AudioChannels": 2
                 *           },
                 *           "Renditions": [],
                 *           "Playouts": [
                 *             {
                 *               "Id": "0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *               "Label": "Default",
                 *               "IsDefault": true,
                 *               "HLS": null,
                 *               "DASH": null,
                 *               "MP4": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/download.mp4",
                 *               "EmbedURI": null,
                 *               "Storyboard": null,
                 *               "M4A": null,
                 *               "ThumbnailURI": null,
                 *               "AnimatedURI": null
                 *             }
                 *           ],
                 *           "Captions": [],
                 *           "Checksum": null,
                 *           "Source": {
                 *             "Kind": "upload",
                 *             "URI": null
                 *           },
                 *           "CreatedBy": 7,
                 *           "Timings": {
                 *             "UploadedAt": "2026-03-01T12:00:00+00:00",
                 *             "PlayableAt": null,
                 *             "EncodedAt": null
                 *           },
                 *           "CreatedAt": "2026-03-01T11:59:12.031+00:00",
                 *           "LastUpdateAt": "2026-03-01T11:59:12.031+00:00",
                 *           "DeletedAt": null,
                 *           "PurgeAt": null
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "file.uploaded";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFileEncoding: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The Id of the file in the body. */
                FileId: number;
                /** @description The name of the event. */
                event: "file.encoding";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "file.encoding",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "File": {
                 *           "Id": 5,
                 *           "ProjectId": 3,
                 *           "ExternalId": "cms-4711",
                 *           "Name": "3/5/interview.mp4",
                 *           "Status": "encoding",
                 *           "IsFinished": false,
                 *           "IsEncoded": false,
                 *           "IsPlayable": false,
                 *           "IsEnabled": true,
                 *           "UseEncoding": true,
                 *           "EncodingPriority": 50,
                 *           "EncodingProgress": 12,
                 *           "EstimatedReadyAt": "2026-03-01T12:01:10.000+00:00",
                 *           "HasErrors": false,
                 *           "ErrorMessage": null,
                 *           "Metadata": {
                 *             "StandardFilePicture": null,
                 *             "Title": "Interview",
                 *             "Description": "The mayor on the new bridge.",
                 *             "DisplayTitle": "A bridge for everybody",
                 *             "DisplayTitleSecondLine": "",
                 *             "ReleaseStatus": "unpublished",
                 *             "Category": [
                 *               {
                 *                 "Id": 2,
                 *                 "Label": "News",
                 *                 "CustomId": "news"
                 *               }
                 *             ],
                 *             "IABCategory": [],
                 *             "Share": [],
                 *             "Videotype": [],
                 *             "Tags": [
                 *               "bridge",
                 *               "city"
                 *             ],
                 *             "IsPublicAt": null,
                 *             "IsPublicUntil": null,
                 *             "Genre": "",
                 *             "Series": "",
                 *             "NativeLanguage": "en",
                 *             "ProgramId": "",
                 *             "Rating": "",
                 *             "Latitude": null,
                 *             "Longitude": null,
                 *             "OriginalFileName": "interview.mp4",
                 *             "CustomMetadata": {
                 *               "adsDisabled": false
                 *             }
                 *           },
                 *           "Properties": {
                 *             "Length": 92.48,
                 *             "Size": 48213004,
                 *             "VideoFormat": "h264",
                 *             "VideoBitRate": 4035120,
                 *             "VideoWidth": 1920,
                 *             "VideoHeight": 1080,
                 *             "VideoFPS": 25,
                 *             "AudioFormat": "aac",
                 *             "AudioBitRate": 128000,
                 *             "AudioSampleRate": 48000,
                 *             "AudioChannels": 2
                 *           },
                 *           "Renditions": [],
                 *           "Playouts": [
                 *             {
                 *               "Id": "0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *               "Label": "Default",
                 *               "IsDefault": true,
                 *               "HLS": null,
                 *               "DASH": null,
                 *               "MP4": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/download.mp4",
                 *               "EmbedURI": null,
                 *               "Storyboard": null,
                 *               "M4A": null,
                 *               "ThumbnailURI": null,
                 *               "AnimatedURI": null
                 *             }
                 *           ],
                 *           "Captions": [],
                 *           "Checksum": null,
                 *           "Source": {
                 *             "Kind": "upload",
                 *             "URI": null
                 *           },
                 *           "CreatedBy": 7,
                 *           "Timings": {
                 *             "UploadedAt": "2026-03-01T12:00:00+00:00",
                 *             "PlayableAt": null,
                 *             "EncodedAt": null
                 *           },
                 *           "CreatedAt": "2026-03-01T11:59:12.031+00:00",
                 *           "LastUpdateAt": "2026-03-01T11:59:12.031+00:00",
                 *           "DeletedAt": null,
                 *           "PurgeAt": null
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "file.encoding";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFilePlayable: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The Id of the file in the body. */
                FileId: number;
                /** @description The name of the event. */
                event: "file.playable";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "file.playable",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "File": {
                 *           "Id": 5,
                 *           "ProjectId": 3,
                 *           "ExternalId": "cms-4711",
                 *           "Name": "3/5/interview.mp4",
                 *           "Status": "playable",
                 *           "IsFinished": false,
                 *           "IsEncoded": true,
                 *           "IsPlayable": true,
                 *           "IsEnabled": true,
                 *           "UseEncoding": true,
                 *           "EncodingPriority": 50,
                 *           "EncodingProgress": 40,
                 *           "EstimatedReadyAt": "2026-03-01T12:01:10.000+00:00",
                 *           "HasErrors": false,
                 *           "ErrorMessage": null,
                 *           "Metadata": {
                 *             "StandardFilePicture": {
                 *               "FilePictureId": 12,
                 *               "AspectRatio": "16:9",
                 *               "AspectRatioClosest": "16:9",
                 *               "URI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/poster.jpg",
                 *               "ThumbURI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/thumb.jpg",
                 *               "SrcPictureURI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/poster.jpg",
                 *               "IsStandard": true,
                 *               "ManualUpload": false
                 *             },
                 *             "Title": "Interview",
                 *             "Description": "The mayor on the new bridge.",
                 *             "DisplayTitle": "A bridge for everybody",
                 *             "DisplayTitleSecondLine": "",
                 *             "ReleaseStatus": "published",
                 *             "Category": [
                 *               {
                 *                 "Id": 2,
                 *                 "Label": "News",
                 *                 "CustomId": "news"
                 *               }
                 *             ],
                 *             "IABCategory": [],
                 *             "Share": [],
                 *             "Videotype": [],
                 *             "Tags": [
                 *               "bridge",
                 *               "city"
                 *             ],
                 *             "IsPublicAt": null,
                 *             "IsPublicUntil": null,
                 *             "Genre": "",
                 *             "Series": "",
                 *             "NativeLanguage": "en",
                 *             "ProgramId": "",
                 *             "Rating": "",
                 *             "Latitude": null,
                 *             "Longitude": null,
                 *             "OriginalFileName": "interview.mp4",
                 *             "CustomMetadata": {
                 *               "adsDisabled": false
                 *             }
                 *           },
                 *           "Properties": {
                 *             "Length": 92.48,
                 *             "Size": 48213004,
                 *             "VideoFormat": "h264",
                 *             "VideoBitRate": 4035120,
                 *             "VideoWidth": 1920,
                 *             "VideoHeight": 1080,
                 *             "VideoFPS": 25,
                 *             "AudioFormat": "aac",
                 *             "AudioBitRate": 128000,
                 *             "AudioSampleRate": 48000,
                 *             "AudioChannels": 2
                 *           },
                 *           "Renditions": [
                 *             {
                 *               "Id": 31,
                 *               "Name": "360p",
                 *               "Type": "video",
                 *               "Language": null,
                 *               "Label": null,
                 *               "IsComplete": true,
                 *               "Codec": "avc1.64001e",
                 *               "Width": 640,
                 *               "Height": 360,
                 *               "FPS": 25,
                 *               "BitRate": 612400,
                 *               "PeakBitRate": 940100,
                 *               "Size": 7079344
                 *             }
                 *           ],
                 *           "Playouts": [
                 *             {
                 *               "Id": "0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *               "Label": "Default",
                 *               "IsDefault": true,
                 *               "HLS": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.m3u8",
                 *               "DASH": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.mpd",
                 *               "MP4": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/download.mp4",
                 *               "EmbedURI": "https://video.example.com/embed/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *               "Storyboard": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/storyboard.vtt",
                 *               "M4A": null,
                 *               "ThumbnailURI": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/thumbnail.jpg",
                 *               "AnimatedURI": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/animated.webp"
                 *             }
                 *           ],
                 *           "Captions": [],
                 *           "Checksum": null,
                 *           "Source": {
                 *             "Kind": "upload",
                 *             "URI": null
                 *           },
                 *           "CreatedBy": 7,
                 *           "Timings": {
                 *             "UploadedAt": "2026-03-01T12:00:00+00:00",
                 *             "PlayableAt": "2026-03-01T12:00:01.204+00:00",
                 *             "EncodedAt": null
                 *           },
                 *           "CreatedAt": "2026-03-01T11:59:12.031+00:00",
                 *           "LastUpdateAt": "2026-03-01T12:01:07.918+00:00",
                 *           "DeletedAt": null,
                 *           "PurgeAt": null
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "file.playable";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFileEncoded: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The Id of the file in the body. */
                FileId: number;
                /** @description The name of the event. */
                event: "file.encoded";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "file.encoded",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "File": {
                 *           "Id": 5,
                 *           "ProjectId": 3,
                 *           "ExternalId": "cms-4711",
                 *           "Name": "3/5/interview.mp4",
                 *           "Status": "finished",
                 *           "IsFinished": true,
                 *           "IsEncoded": true,
                 *           "IsPlayable": true,
                 *           "IsEnabled": true,
                 *           "UseEncoding": true,
                 *           "EncodingPriority": 50,
                 *           "EncodingProgress": 100,
                 *           "EstimatedReadyAt": null,
                 *           "HasErrors": false,
                 *           "ErrorMessage": null,
                 *           "Metadata": {
                 *             "StandardFilePicture": {
                 *               "FilePictureId": 12,
                 *               "AspectRatio": "16:9",
                 *               "AspectRatioClosest": "16:9",
                 *               "URI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/poster.jpg",
                 *               "ThumbURI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/thumb.jpg",
                 *               "SrcPictureURI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/poster.jpg",
                 *               "IsStandard": true,
                 *               "ManualUpload": false
                 *             },
                 *             "Title": "Interview",
                 *             "Description": "The mayor on the new bridge.",
                 *             "DisplayTitle": "A bridge for everybody",
                 *             "DisplayTitleSecondLine": "",
                 *             "ReleaseStatus": "published",
                 *             "Category": [
                 *               {
                 *                 "Id": 2,
                 *                 "Label": "News",
                 *                 "CustomId": "news"
                 *               }
                 *             ],
                 *             "IABCategory": [],
                 *             "Share": [],
                 *             "Videotype": [],
                 *             "Tags": [
                 *               "bridge",
                 *               "city"
                 *             ],
                 *             "IsPublicAt": null,
                 *             "IsPublicUntil": null,
                 *             "Genre": "",
                 *             "Series": "",
                 *             "NativeLanguage": "en",
                 *             "ProgramId": "",
                 *             "Rating": "",
                 *             "Latitude": null,
                 *             "Longitude": null,
                 *             "OriginalFileName": "interview.mp4",
                 *             "CustomMetadata": {
                 *               "adsDisabled": false
                 *             }
                 *           },
                 *           "Properties": {
                 *             "Length": 92.48,
                 *             "Size": 48213004,
                 *             "VideoFormat": "h264",
                 *             "VideoBitRate": 4035120,
                 *             "VideoWidth": 1920,
                 *             "VideoHeight": 1080,
                 *             "VideoFPS": 25,
                 *             "AudioFormat": "aac",
                 *             "AudioBitRate": 128000,
                 *             "AudioSampleRate": 48000,
                 *             "AudioChannels": 2
                 *           },
                 *           "Renditions": [
                 *             {
                 *               "Id": 31,
                 *               "Name": "360p",
                 *               "Type": "video",
                 *               "Language": null,
                 *               "Label": null,
                 *               "IsComplete": true,
                 *               "Codec": "avc1.64001e",
                 *               "Width": 640,
                 *               "Height": 360,
                 *               "FPS": 25,
                 *               "BitRate": 612400,
                 *               "PeakBitRate": 940100,
                 *               "Size": 7079344
                 *             }
                 *           ],
                 *           "Playouts": [
                 *             {
                 *               "Id": "0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *               "Label": "Default",
                 *               "IsDefault": true,
                 *               "HLS": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.m3u8",
                 *               "DASH": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.mpd",
                 *               "MP4": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/download.mp4",
                 *               "EmbedURI": "https://video.example.com/embed/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *               "Storyboard": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/storyboard.vtt",
                 *               "M4A": null,
                 *               "ThumbnailURI": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/thumbnail.jpg",
                 *               "AnimatedURI": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/animated.webp"
                 *             }
                 *           ],
                 *           "Captions": [],
                 *           "Checksum": null,
                 *           "Source": {
                 *             "Kind": "upload",
                 *             "URI": null
                 *           },
                 *           "CreatedBy": 7,
                 *           "Timings": {
                 *             "UploadedAt": "2026-03-01T12:00:00+00:00",
                 *             "PlayableAt": "2026-03-01T12:00:01.204+00:00",
                 *             "EncodedAt": "2026-03-01T12:01:07.918+00:00"
                 *           },
                 *           "CreatedAt": "2026-03-01T11:59:12.031+00:00",
                 *           "LastUpdateAt": "2026-03-01T12:01:07.918+00:00",
                 *           "DeletedAt": null,
                 *           "PurgeAt": null
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "file.encoded";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFileFailed: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The Id of the file in the body. */
                FileId: number;
                /** @description The name of the event. */
                event: "file.failed";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "file.failed",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "File": {
                 *           "Id": 5,
                 *           "ProjectId": 3,
                 *           "ExternalId": "cms-4711",
                 *           "Name": "3/5/interview.mp4",
                 *           "Status": "failed",
                 *           "IsFinished": true,
                 *           "IsEncoded": false,
                 *           "IsPlayable": false,
                 *           "IsEnabled": true,
                 *           "UseEncoding": true,
                 *           "EncodingPriority": 50,
                 *           "EncodingProgress": 0,
                 *           "EstimatedReadyAt": null,
                 *           "HasErrors": true,
                 *           "ErrorMessage": "This file has no audio and no video. Upload a media file.",
                 *           "Metadata": {
                 *             "StandardFilePicture": null,
                 *             "Title": "Interview",
                 *             "Description": "The mayor on the new bridge.",
                 *             "DisplayTitle": "A bridge for everybody",
                 *             "DisplayTitleSecondLine": "",
                 *             "ReleaseStatus": "unpublished",
                 *             "Category": [
                 *               {
                 *                 "Id": 2,
                 *                 "Label": "News",
                 *                 "CustomId": "news"
                 *               }
                 *             ],
                 *             "IABCategory": [],
                 *             "Share": [],
                 *             "Videotype": [],
                 *             "Tags": [
                 *               "bridge",
                 *               "city"
                 *             ],
                 *             "IsPublicAt": null,
                 *             "IsPublicUntil": null,
                 *             "Genre": "",
                 *             "Series": "",
                 *             "NativeLanguage": "en",
                 *             "ProgramId": "",
                 *             "Rating": "",
                 *             "Latitude": null,
                 *             "Longitude": null,
                 *             "OriginalFileName": "interview.mp4",
                 *             "CustomMetadata": {
                 *               "adsDisabled": false
                 *             }
                 *           },
                 *           "Properties": null,
                 *           "Renditions": [],
                 *           "Playouts": [
                 *             {
                 *               "Id": "0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *               "Label": "Default",
                 *               "IsDefault": true,
                 *               "HLS": null,
                 *               "DASH": null,
                 *               "MP4": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/download.mp4",
                 *               "EmbedURI": null,
                 *               "Storyboard": null,
                 *               "M4A": null,
                 *               "ThumbnailURI": null,
                 *               "AnimatedURI": null
                 *             }
                 *           ],
                 *           "Captions": [],
                 *           "Checksum": null,
                 *           "Source": {
                 *             "Kind": "upload",
                 *             "URI": null
                 *           },
                 *           "CreatedBy": 7,
                 *           "Timings": {
                 *             "UploadedAt": "2026-03-01T12:00:00+00:00",
                 *             "PlayableAt": null,
                 *             "EncodedAt": null
                 *           },
                 *           "CreatedAt": "2026-03-01T11:59:12.031+00:00",
                 *           "LastUpdateAt": "2026-03-01T11:59:12.031+00:00",
                 *           "DeletedAt": null,
                 *           "PurgeAt": null
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "file.failed";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFileUpdated: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The Id of the file in the body. */
                FileId: number;
                /** @description The name of the event. */
                event: "file.updated";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "file.updated",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "File": {
                 *           "Id": 5,
                 *           "ProjectId": 3,
                 *           "ExternalId": "cms-4711",
                 *           "Name": "3/5/interview.mp4",
                 *           "Status": "finished",
                 *           "IsFinished": true,
                 *           "IsEncoded": true,
                 *           "IsPlayable": true,
                 *           "IsEnabled": true,
                 *           "UseEncoding": true,
                 *           "EncodingPriority": 50,
                 *           "EncodingProgress": 100,
                 *           "EstimatedReadyAt": null,
                 *           "HasErrors": false,
                 *           "ErrorMessage": null,
                 *           "Metadata": {
                 *             "StandardFilePicture": {
                 *               "FilePictureId": 12,
                 *               "AspectRatio": "16:9",
                 *               "AspectRatioClosest": "16:9",
                 *               "URI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/poster.jpg",
                 *               "ThumbURI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/thumb.jpg",
                 *               "SrcPictureURI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/poster.jpg",
                 *               "IsStandard": true,
                 *               "ManualUpload": false
                 *             },
                 *             "Title": "Interview",
                 *             "Description": "The mayor on the new bridge.",
                 *             "DisplayTitle": "A bridge for everybody",
                 *             "DisplayTitleSecondLine": "",
                 *             "ReleaseStatus": "published",
                 *             "Category": [
                 *               {
                 *                 "Id": 2,
                 *                 "Label": "News",
                 *                 "CustomId": "news"
                 *               }
                 *             ],
                 *             "IABCategory": [],
                 *             "Share": [],
                 *             "Videotype": [],
                 *             "Tags": [
                 *               "bridge",
                 *               "city"
                 *             ],
                 *             "IsPublicAt": null,
                 *             "IsPublicUntil": null,
                 *             "Genre": "",
                 *             "Series": "",
                 *             "NativeLanguage": "en",
                 *             "ProgramId": "",
                 *             "Rating": "",
                 *             "Latitude": null,
                 *             "Longitude": null,
                 *             "OriginalFileName": "interview.mp4",
                 *             "CustomMetadata": {
                 *               "adsDisabled": false
                 *             }
                 *           },
                 *           "Properties": {
                 *             "Length": 92.48,
                 *             "Size": 48213004,
                 *             "VideoFormat": "h264",
                 *             "VideoBitRate": 4035120,
                 *             "VideoWidth": 1920,
                 *             "VideoHeight": 1080,
                 *             "VideoFPS": 25,
                 *             "AudioFormat": "aac",
                 *             "AudioBitRate": 128000,
                 *             "AudioSampleRate": 48000,
                 *             "AudioChannels": 2
                 *           },
                 *           "Renditions": [
                 *             {
                 *               "Id": 31,
                 *               "Name": "360p",
                 *               "Type": "video",
                 *               "Language": null,
                 *               "Label": null,
                 *               "IsComplete": true,
                 *               "Codec": "avc1.64001e",
                 *               "Width": 640,
                 *               "Height": 360,
                 *               "FPS": 25,
                 *               "BitRate": 612400,
                 *               "PeakBitRate": 940100,
                 *               "Size": 7079344
                 *             }
                 *           ],
                 *           "Playouts": [
                 *             {
                 *               "Id": "0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *               "Label": "Default",
                 *               "IsDefault": true,
                 *               "HLS": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.m3u8",
                 *               "DASH": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.mpd",
                 *               "MP4": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/download.mp4",
                 *               "EmbedURI": "https://video.example.com/embed/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *               "Storyboard": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/storyboard.vtt",
                 *               "M4A": null,
                 *               "ThumbnailURI": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/thumbnail.jpg",
                 *               "AnimatedURI": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/animated.webp"
                 *             }
                 *           ],
                 *           "Captions": [],
                 *           "Checksum": null,
                 *           "Source": {
                 *             "Kind": "upload",
                 *             "URI": null
                 *           },
                 *           "CreatedBy": 7,
                 *           "Timings": {
                 *             "UploadedAt": "2026-03-01T12:00:00+00:00",
                 *             "PlayableAt": "2026-03-01T12:00:01.204+00:00",
                 *             "EncodedAt": "2026-03-01T12:01:07.918+00:00"
                 *           },
                 *           "CreatedAt": "2026-03-01T11:59:12.031+00:00",
                 *           "LastUpdateAt": "2026-03-01T12:01:07.918+00:00",
                 *           "DeletedAt": null,
                 *           "PurgeAt": null
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "file.updated";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFileReleased: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The Id of the file in the body. */
                FileId: number;
                /** @description The name of the event. */
                event: "file.released";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "file.released",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "File": {
                 *           "Id": 5,
                 *           "ProjectId": 3,
                 *           "ExternalId": "cms-4711",
                 *           "Name": "3/5/interview.mp4",
                 *           "Status": "finished",
                 *           "IsFinished": true,
                 *           "IsEncoded": true,
                 *           "IsPlayable": true,
                 *           "IsEnabled": true,
                 *           "UseEncoding": true,
                 *           "EncodingPriority": 50,
                 *           "EncodingProgress": 100,
                 *           "EstimatedReadyAt": null,
                 *           "HasErrors": false,
                 *           "ErrorMessage": null,
                 *           "Metadata": {
                 *             "StandardFilePicture": {
                 *               "FilePictureId": 12,
                 *               "AspectRatio": "16:9",
                 *               "AspectRatioClosest": "16:9",
                 *               "URI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/poster.jpg",
                 *               "ThumbURI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/thumb.jpg",
                 *               "SrcPictureURI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/poster.jpg",
                 *               "IsStandard": true,
                 *               "ManualUpload": false
                 *             },
                 *             "Title": "Interview",
                 *             "Description": "The mayor on the new bridge.",
                 *             "DisplayTitle": "A bridge for everybody",
                 *             "DisplayTitleSecondLine": "",
                 *             "ReleaseStatus": "published",
                 *             "Category": [
                 *               {
                 *                 "Id": 2,
                 *                 "Label": "News",
                 *                 "CustomId": "news"
                 *               }
                 *             ],
                 *             "IABCategory": [],
                 *             "Share": [],
                 *             "Videotype": [],
                 *             "Tags": [
                 *               "bridge",
                 *               "city"
                 *             ],
                 *             "IsPublicAt": null,
                 *             "IsPublicUntil": null,
                 *             "Genre": "",
                 *             "Series": "",
                 *             "NativeLanguage": "en",
                 *             "ProgramId": "",
                 *             "Rating": "",
                 *             "Latitude": null,
                 *             "Longitude": null,
                 *             "OriginalFileName": "interview.mp4",
                 *             "CustomMetadata": {
                 *               "adsDisabled": false
                 *             }
                 *           },
                 *           "Properties": {
                 *             "Length": 92.48,
                 *             "Size": 48213004,
                 *             "VideoFormat": "h264",
                 *             "VideoBitRate": 4035120,
                 *             "VideoWidth": 1920,
                 *             "VideoHeight": 1080,
                 *             "VideoFPS": 25,
                 *             "AudioFormat": "aac",
                 *             "AudioBitRate": 128000,
                 *             "AudioSampleRate": 48000,
                 *             "AudioChannels": 2
                 *           },
                 *           "Renditions": [
                 *             {
                 *               "Id": 31,
                 *               "Name": "360p",
                 *               "Type": "video",
                 *               "Language": null,
                 *               "Label": null,
                 *               "IsComplete": true,
                 *               "Codec": "avc1.64001e",
                 *               "Width": 640,
                 *               "Height": 360,
                 *               "FPS": 25,
                 *               "BitRate": 612400,
                 *               "PeakBitRate": 940100,
                 *               "Size": 7079344
                 *             }
                 *           ],
                 *           "Playouts": [
                 *             {
                 *               "Id": "0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *               "Label": "Default",
                 *               "IsDefault": true,
                 *               "HLS": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.m3u8",
                 *               "DASH": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.mpd",
                 *               "MP4": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/download.mp4",
                 *               "EmbedURI": "https://video.example.com/embed/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *               "Storyboard": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/storyboard.vtt",
                 *               "M4A": null,
                 *               "ThumbnailURI": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/thumbnail.jpg",
                 *               "AnimatedURI": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/animated.webp"
                 *             }
                 *           ],
                 *           "Captions": [],
                 *           "Checksum": null,
                 *           "Source": {
                 *             "Kind": "upload",
                 *             "URI": null
                 *           },
                 *           "CreatedBy": 7,
                 *           "Timings": {
                 *             "UploadedAt": "2026-03-01T12:00:00+00:00",
                 *             "PlayableAt": "2026-03-01T12:00:01.204+00:00",
                 *             "EncodedAt": "2026-03-01T12:01:07.918+00:00"
                 *           },
                 *           "CreatedAt": "2026-03-01T11:59:12.031+00:00",
                 *           "LastUpdateAt": "2026-03-01T12:01:07.918+00:00",
                 *           "DeletedAt": null,
                 *           "PurgeAt": null
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "file.released";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFileUnreleased: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The Id of the file in the body. */
                FileId: number;
                /** @description The name of the event. */
                event: "file.unreleased";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "file.unreleased",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "File": {
                 *           "Id": 5,
                 *           "ProjectId": 3,
                 *           "ExternalId": "cms-4711",
                 *           "Name": "3/5/interview.mp4",
                 *           "Status": "finished",
                 *           "IsFinished": true,
                 *           "IsEncoded": true,
                 *           "IsPlayable": true,
                 *           "IsEnabled": true,
                 *           "UseEncoding": true,
                 *           "EncodingPriority": 50,
                 *           "EncodingProgress": 100,
                 *           "EstimatedReadyAt": null,
                 *           "HasErrors": false,
                 *           "ErrorMessage": null,
                 *           "Metadata": {
                 *             "StandardFilePicture": {
                 *               "FilePictureId": 12,
                 *               "AspectRatio": "16:9",
                 *               "AspectRatioClosest": "16:9",
                 *               "URI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/poster.jpg",
                 *               "ThumbURI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/thumb.jpg",
                 *               "SrcPictureURI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/poster.jpg",
                 *               "IsStandard": true,
                 *               "ManualUpload": false
                 *             },
                 *             "Title": "Interview",
                 *             "Description": "The mayor on the new bridge.",
                 *             "DisplayTitle": "A bridge for everybody",
                 *             "DisplayTitleSecondLine": "",
                 *             "ReleaseStatus": "unpublished",
                 *             "Category": [
                 *               {
                 *                 "Id": 2,
                 *                 "Label": "News",
                 *                 "CustomId": "news"
                 *               }
                 *             ],
                 *             "IABCategory": [],
                 *             "Share": [],
                 *             "Videotype": [],
                 *             "Tags": [
                 *               "bridge",
                 *               "city"
                 *             ],
                 *             "IsPublicAt": null,
                 *             "IsPublicUntil": null,
                 *             "Genre": "",
                 *             "Series": "",
                 *             "NativeLanguage": "en",
                 *             "ProgramId": "",
                 *             "Rating": "",
                 *             "Latitude": null,
                 *             "Longitude": null,
                 *             "OriginalFileName": "interview.mp4",
                 *             "CustomMetadata": {
                 *               "adsDisabled": false
                 *             }
                 *           },
                 *           "Properties": {
                 *             "Length": 92.48,
                 *             "Size": 48213004,
                 *             "VideoFormat": "h264",
                 *             "VideoBitRate": 4035120,
                 *             "VideoWidth": 1920,
                 *             "VideoHeight": 1080,
                 *             "VideoFPS": 25,
                 *             "AudioFormat": "aac",
                 *             "AudioBitRate": 128000,
                 *             "AudioSampleRate": 48000,
                 *             "AudioChannels": 2
                 *           },
                 *           "Renditions": [
                 *             {
                 *               "Id": 31,
                 *               "Name": "360p",
                 *               "Type": "video",
                 *               "Language": null,
                 *               "Label": null,
                 *               "IsComplete": true,
                 *               "Codec": "avc1.64001e",
                 *               "Width": 640,
                 *               "Height": 360,
                 *               "FPS": 25,
                 *               "BitRate": 612400,
                 *               "PeakBitRate": 940100,
                 *               "Size": 7079344
                 *             }
                 *           ],
                 *           "Playouts": [
                 *             {
                 *               "Id": "0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *               "Label": "Default",
                 *               "IsDefault": true,
                 *               "HLS": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.m3u8",
                 *               "DASH": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.mpd",
                 *               "MP4": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/download.mp4",
                 *               "EmbedURI": "https://video.example.com/embed/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *               "Storyboard": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/storyboard.vtt",
                 *               "M4A": null,
                 *               "ThumbnailURI": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/thumbnail.jpg",
                 *               "AnimatedURI": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/animated.webp"
                 *             }
                 *           ],
                 *           "Captions": [],
                 *           "Checksum": null,
                 *           "Source": {
                 *             "Kind": "upload",
                 *             "URI": null
                 *           },
                 *           "CreatedBy": 7,
                 *           "Timings": {
                 *             "UploadedAt": "2026-03-01T12:00:00+00:00",
                 *             "PlayableAt": "2026-03-01T12:00:01.204+00:00",
                 *             "EncodedAt": "2026-03-01T12:01:07.918+00:00"
                 *           },
                 *           "CreatedAt": "2026-03-01T11:59:12.031+00:00",
                 *           "LastUpdateAt": "2026-03-01T12:01:07.918+00:00",
                 *           "DeletedAt": null,
                 *           "PurgeAt": null
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "file.unreleased";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFileReplaced: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The Id of the file in the body. */
                FileId: number;
                /** @description The name of the event. */
                event: "file.replaced";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "file.replaced",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "File": {
                 *           "Id": 5,
                 *           "ProjectId": 3,
                 *           "ExternalId": "cms-4711",
                 *           "Name": "3/5/interview.mp4",
                 *           "Status": "finished",
                 *           "IsFinished": true,
                 *           "IsEncoded": true,
                 *           "IsPlayable": true,
                 *           "IsEnabled": true,
                 *           "UseEncoding": true,
                 *           "EncodingPriority": 50,
                 *           "EncodingProgress": 100,
                 *           "EstimatedReadyAt": null,
                 *           "HasErrors": false,
                 *           "ErrorMessage": null,
                 *           "Metadata": {
                 *             "StandardFilePicture": {
                 *               "FilePictureId": 12,
                 *               "AspectRatio": "16:9",
                 *               "AspectRatioClosest": "16:9",
                 *               "URI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/poster.jpg",
                 *               "ThumbURI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/thumb.jpg",
                 *               "SrcPictureURI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/poster.jpg",
                 *               "IsStandard": true,
                 *               "ManualUpload": false
                 *             },
                 *             "Title": "Interview",
                 *             "Description": "The mayor on the new bridge.",
                 *             "DisplayTitle": "A bridge for everybody",
                 *             "DisplayTitleSecondLine": "",
                 *             "ReleaseStatus": "published",
                 *             "Category": [
                 *               {
                 *                 "Id": 2,
                 *                 "Label": "News",
                 *                 "CustomId": "news"
                 *               }
                 *             ],
                 *             "IABCategory": [],
                 *             "Share": [],
                 *             "Videotype": [],
                 *             "Tags": [
                 *               "bridge",
                 *               "city"
                 *             ],
                 *             "IsPublicAt": null,
                 *             "IsPublicUntil": null,
                 *             "Genre": "",
                 *             "Series": "",
                 *             "NativeLanguage": "en",
                 *             "ProgramId": "",
                 *             "Rating": "",
                 *             "Latitude": null,
                 *             "Longitude": null,
                 *             "OriginalFileName": "interview.mp4",
                 *             "CustomMetadata": {
                 *               "adsDisabled": false
                 *             }
                 *           },
                 *           "Properties": {
                 *             "Length": 92.48,
                 *             "Size": 48213004,
                 *             "VideoFormat": "h264",
                 *             "VideoBitRate": 4035120,
                 *             "VideoWidth": 1920,
                 *             "VideoHeight": 1080,
                 *             "VideoFPS": 25,
                 *             "AudioFormat": "aac",
                 *             "AudioBitRate": 128000,
                 *             "AudioSampleRate": 48000,
                 *             "AudioChannels": 2
                 *           },
                 *           "Renditions": [
                 *             {
                 *               "Id": 31,
                 *               "Name": "360p",
                 *               "Type": "video",
                 *               "Language": null,
                 *               "Label": null,
                 *               "IsComplete": true,
                 *               "Codec": "avc1.64001e",
                 *               "Width": 640,
                 *               "Height": 360,
                 *               "FPS": 25,
                 *               "BitRate": 612400,
                 *               "PeakBitRate": 940100,
                 *               "Size": 7079344
                 *             }
                 *           ],
                 *           "Playouts": [
                 *             {
                 *               "Id": "0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *               "Label": "Default",
                 *               "IsDefault": true,
                 *               "HLS": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.m3u8",
                 *               "DASH": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.mpd",
                 *               "MP4": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/download.mp4",
                 *               "EmbedURI": "https://video.example.com/embed/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *               "Storyboard": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/storyboard.vtt",
                 *               "M4A": null,
                 *               "ThumbnailURI": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/thumbnail.jpg",
                 *               "AnimatedURI": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/animated.webp"
                 *             }
                 *           ],
                 *           "Captions": [],
                 *           "Checksum": null,
                 *           "Source": {
                 *             "Kind": "upload",
                 *             "URI": null
                 *           },
                 *           "CreatedBy": 7,
                 *           "Timings": {
                 *             "UploadedAt": "2026-03-01T12:00:00+00:00",
                 *             "PlayableAt": "2026-03-01T12:00:01.204+00:00",
                 *             "EncodedAt": "2026-03-01T12:01:07.918+00:00"
                 *           },
                 *           "CreatedAt": "2026-03-01T11:59:12.031+00:00",
                 *           "LastUpdateAt": "2026-03-01T12:01:07.918+00:00",
                 *           "DeletedAt": null,
                 *           "PurgeAt": null
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "file.replaced";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFileDeleted: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The Id of the file in the body. */
                FileId: number;
                /** @description The name of the event. */
                event: "file.deleted";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "file.deleted",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "File": {
                 *           "Id": 5,
                 *           "ProjectId": 3,
                 *           "ExternalId": "cms-4711",
                 *           "Name": "3/5/interview.mp4",
                 *           "Status": "finished",
                 *           "IsFinished": true,
                 *           "IsEncoded": true,
                 *           "IsPlayable": true,
                 *           "IsEnabled": false,
                 *           "UseEncoding": true,
                 *           "EncodingPriority": 50,
                 *           "EncodingProgress": 100,
                 *           "EstimatedReadyAt": null,
                 *           "HasErrors": false,
                 *           "ErrorMessage": null,
                 *           "Metadata": {
                 *             "StandardFilePicture": {
                 *               "FilePictureId": 12,
                 *               "AspectRatio": "16:9",
                 *               "AspectRatioClosest": "16:9",
                 *               "URI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/poster.jpg",
                 *               "ThumbURI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/thumb.jpg",
                 *               "SrcPictureURI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/poster.jpg",
                 *               "IsStandard": true,
                 *               "ManualUpload": false
                 *             },
                 *             "Title": "Interview",
                 *             "Description": "The mayor on the new bridge.",
                 *             "DisplayTitle": "A bridge for everybody",
                 *             "DisplayTitleSecondLine": "",
                 *             "ReleaseStatus": "published",
                 *             "Category": [
                 *               {
                 *                 "Id": 2,
                 *                 "Label": "News",
                 *                 "CustomId": "news"
                 *               }
                 *             ],
                 *             "IABCategory": [],
                 *             "Share": [],
                 *             "Videotype": [],
                 *             "Tags": [
                 *               "bridge",
                 *               "city"
                 *             ],
                 *             "IsPublicAt": null,
                 *             "IsPublicUntil": null,
                 *             "Genre": "",
                 *             "Series": "",
                 *             "NativeLanguage": "en",
                 *             "ProgramId": "",
                 *             "Rating": "",
                 *             "Latitude": null,
                 *             "Longitude": null,
                 *             "OriginalFileName": "interview.mp4",
                 *             "CustomMetadata": {
                 *               "adsDisabled": false
                 *             }
                 *           },
                 *           "Properties": {
                 *             "Length": 92.48,
                 *             "Size": 48213004,
                 *             "VideoFormat": "h264",
                 *             "VideoBitRate": 4035120,
                 *             "VideoWidth": 1920,
                 *             "VideoHeight": 1080,
                 *             "VideoFPS": 25,
                 *             "AudioFormat": "aac",
                 *             "AudioBitRate": 128000,
                 *             "AudioSampleRate": 48000,
                 *             "AudioChannels": 2
                 *           },
                 *           "Renditions": [
                 *             {
                 *               "Id": 31,
                 *               "Name": "360p",
                 *               "Type": "video",
                 *               "Language": null,
                 *               "Label": null,
                 *               "IsComplete": true,
                 *               "Codec": "avc1.64001e",
                 *               "Width": 640,
                 *               "Height": 360,
                 *               "FPS": 25,
                 *               "BitRate": 612400,
                 *               "PeakBitRate": 940100,
                 *               "Size": 7079344
                 *             }
                 *           ],
                 *           "Playouts": [
                 *             {
                 *               "Id": "0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *               "Label": "Default",
                 *               "IsDefault": true,
                 *               "HLS": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.m3u8",
                 *               "DASH": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.mpd",
                 *               "MP4": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/download.mp4",
                 *               "EmbedURI": "https://video.example.com/embed/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *               "Storyboard": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/storyboard.vtt",
                 *               "M4A": null,
                 *               "ThumbnailURI": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/thumbnail.jpg",
                 *               "AnimatedURI": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/animated.webp"
                 *             }
                 *           ],
                 *           "Captions": [],
                 *           "Checksum": null,
                 *           "Source": {
                 *             "Kind": "upload",
                 *             "URI": null
                 *           },
                 *           "CreatedBy": 7,
                 *           "Timings": {
                 *             "UploadedAt": "2026-03-01T12:00:00+00:00",
                 *             "PlayableAt": "2026-03-01T12:00:01.204+00:00",
                 *             "EncodedAt": "2026-03-01T12:01:07.918+00:00"
                 *           },
                 *           "CreatedAt": "2026-03-01T11:59:12.031+00:00",
                 *           "LastUpdateAt": "2026-03-01T12:01:07.918+00:00",
                 *           "DeletedAt": null,
                 *           "PurgeAt": null
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "file.deleted";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFileRestored: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The Id of the file in the body. */
                FileId: number;
                /** @description The name of the event. */
                event: "file.restored";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "file.restored",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "File": {
                 *           "Id": 5,
                 *           "ProjectId": 3,
                 *           "ExternalId": "cms-4711",
                 *           "Name": "3/5/interview.mp4",
                 *           "Status": "finished",
                 *           "IsFinished": true,
                 *           "IsEncoded": true,
                 *           "IsPlayable": true,
                 *           "IsEnabled": true,
                 *           "UseEncoding": true,
                 *           "EncodingPriority": 50,
                 *           "EncodingProgress": 100,
                 *           "EstimatedReadyAt": null,
                 *           "HasErrors": false,
                 *           "ErrorMessage": null,
                 *           "Metadata": {
                 *             "StandardFilePicture": {
                 *               "FilePictureId": 12,
                 *               "AspectRatio": "16:9",
                 *               "AspectRatioClosest": "16:9",
                 *               "URI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/poster.jpg",
                 *               "ThumbURI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/thumb.jpg",
                 *               "SrcPictureURI": "https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/poster.jpg",
                 *               "IsStandard": true,
                 *               "ManualUpload": false
                 *             },
                 *             "Title": "Interview",
                 *             "Description": "The mayor on the new bridge.",
                 *             "DisplayTitle": "A bridge for everybody",
                 *             "DisplayTitleSecondLine": "",
                 *             "ReleaseStatus": "published",
                 *             "Category": [
                 *               {
                 *                 "Id": 2,
                 *                 "Label": "News",
                 *                 "CustomId": "news"
                 *               }
                 *             ],
                 *             "IABCategory": [],
                 *             "Share": [],
                 *             "Videotype": [],
                 *             "Tags": [
                 *               "bridge",
                 *               "city"
                 *             ],
                 *             "IsPublicAt": null,
                 *             "IsPublicUntil": null,
                 *             "Genre": "",
                 *             "Series": "",
                 *             "NativeLanguage": "en",
                 *             "ProgramId": "",
                 *             "Rating": "",
                 *             "Latitude": null,
                 *             "Longitude": null,
                 *             "OriginalFileName": "interview.mp4",
                 *             "CustomMetadata": {
                 *               "adsDisabled": false
                 *             }
                 *           },
                 *           "Properties": {
                 *             "Length": 92.48,
                 *             "Size": 48213004,
                 *             "VideoFormat": "h264",
                 *             "VideoBitRate": 4035120,
                 *             "VideoWidth": 1920,
                 *             "VideoHeight": 1080,
                 *             "VideoFPS": 25,
                 *             "AudioFormat": "aac",
                 *             "AudioBitRate": 128000,
                 *             "AudioSampleRate": 48000,
                 *             "AudioChannels": 2
                 *           },
                 *           "Renditions": [
                 *             {
                 *               "Id": 31,
                 *               "Name": "360p",
                 *               "Type": "video",
                 *               "Language": null,
                 *               "Label": null,
                 *               "IsComplete": true,
                 *               "Codec": "avc1.64001e",
                 *               "Width": 640,
                 *               "Height": 360,
                 *               "FPS": 25,
                 *               "BitRate": 612400,
                 *               "PeakBitRate": 940100,
                 *               "Size": 7079344
                 *             }
                 *           ],
                 *           "Playouts": [
                 *             {
                 *               "Id": "0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *               "Label": "Default",
                 *               "IsDefault": true,
                 *               "HLS": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.m3u8",
                 *               "DASH": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.mpd",
                 *               "MP4": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/download.mp4",
                 *               "EmbedURI": "https://video.example.com/embed/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *               "Storyboard": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/storyboard.vtt",
                 *               "M4A": null,
                 *               "ThumbnailURI": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/thumbnail.jpg",
                 *               "AnimatedURI": "https://video.example.com/v/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/animated.webp"
                 *             }
                 *           ],
                 *           "Captions": [],
                 *           "Checksum": null,
                 *           "Source": {
                 *             "Kind": "upload",
                 *             "URI": null
                 *           },
                 *           "CreatedBy": 7,
                 *           "Timings": {
                 *             "UploadedAt": "2026-03-01T12:00:00+00:00",
                 *             "PlayableAt": "2026-03-01T12:00:01.204+00:00",
                 *             "EncodedAt": "2026-03-01T12:01:07.918+00:00"
                 *           },
                 *           "CreatedAt": "2026-03-01T11:59:12.031+00:00",
                 *           "LastUpdateAt": "2026-03-01T12:01:07.918+00:00",
                 *           "DeletedAt": null,
                 *           "PurgeAt": null
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "file.restored";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onLiveConnected: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The name of the event. */
                event: "live.connected";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "live.connected",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "Live": {
                 *           "ProjectId": 3,
                 *           "PlayoutId": "0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *           "Title": "Spring show",
                 *           "State": "connected",
                 *           "IsOnline": false,
                 *           "HLS": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.m3u8",
                 *           "LLHLS": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/ll.m3u8",
                 *           "DASH": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.mpd",
                 *           "PlayerURL": "https://video.example.com/embed/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *           "Broadcast": {
                 *             "Id": 7,
                 *             "ConnectedAt": "2026-03-01T12:00:00.000+00:00",
                 *             "OnlineSince": null,
                 *             "DisconnectedAt": null,
                 *             "EndedAt": null,
                 *             "EndReason": null,
                 *             "Publisher": {
                 *               "Address": "192.0.2.7",
                 *               "Encoder": "obs-output module (libobs version 31.0.0)"
                 *             }
                 *           },
                 *           "Warning": null,
                 *           "Failure": null,
                 *           "Recording": null
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "live.connected";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onLiveStarted: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The name of the event. */
                event: "live.started";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "live.started",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "Live": {
                 *           "ProjectId": 3,
                 *           "PlayoutId": "0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *           "Title": "Spring show",
                 *           "State": "online",
                 *           "IsOnline": true,
                 *           "HLS": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.m3u8",
                 *           "LLHLS": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/ll.m3u8",
                 *           "DASH": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.mpd",
                 *           "PlayerURL": "https://video.example.com/embed/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *           "Broadcast": {
                 *             "Id": 7,
                 *             "ConnectedAt": "2026-03-01T12:00:00.000+00:00",
                 *             "OnlineSince": "2026-03-01T12:00:01.400+00:00",
                 *             "DisconnectedAt": null,
                 *             "EndedAt": null,
                 *             "EndReason": null,
                 *             "Publisher": {
                 *               "Address": "192.0.2.7",
                 *               "Encoder": "obs-output module (libobs version 31.0.0)"
                 *             }
                 *           },
                 *           "Warning": null,
                 *           "Failure": null,
                 *           "Recording": null
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "live.started";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onLiveWarning: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The name of the event. */
                event: "live.warning";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "live.warning",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "Live": {
                 *           "ProjectId": 3,
                 *           "PlayoutId": "0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *           "Title": "Spring show",
                 *           "State": "online",
                 *           "IsOnline": true,
                 *           "HLS": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.m3u8",
                 *           "LLHLS": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/ll.m3u8",
                 *           "DASH": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.mpd",
                 *           "PlayerURL": "https://video.example.com/embed/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *           "Broadcast": {
                 *             "Id": 7,
                 *             "ConnectedAt": "2026-03-01T12:00:00.000+00:00",
                 *             "OnlineSince": "2026-03-01T12:00:01.400+00:00",
                 *             "DisconnectedAt": null,
                 *             "EndedAt": null,
                 *             "EndReason": null,
                 *             "Publisher": {
                 *               "Address": "192.0.2.7",
                 *               "Encoder": "obs-output module (libobs version 31.0.0)"
                 *             }
                 *           },
                 *           "Warning": {
                 *             "Code": "key_frames_too_rare",
                 *             "Message": "Key frames are 8 s apart. Set the key frame interval to 2 s."
                 *           },
                 *           "Failure": null,
                 *           "Recording": null
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "live.warning";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onLiveDisconnected: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The name of the event. */
                event: "live.disconnected";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "live.disconnected",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "Live": {
                 *           "ProjectId": 3,
                 *           "PlayoutId": "0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *           "Title": "Spring show",
                 *           "State": "reconnecting",
                 *           "IsOnline": true,
                 *           "HLS": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.m3u8",
                 *           "LLHLS": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/ll.m3u8",
                 *           "DASH": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.mpd",
                 *           "PlayerURL": "https://video.example.com/embed/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *           "Broadcast": {
                 *             "Id": 7,
                 *             "ConnectedAt": "2026-03-01T12:00:00.000+00:00",
                 *             "OnlineSince": "2026-03-01T12:00:01.400+00:00",
                 *             "DisconnectedAt": "2026-03-01T13:00:02.000+00:00",
                 *             "EndedAt": null,
                 *             "EndReason": null,
                 *             "Publisher": {
                 *               "Address": "192.0.2.7",
                 *               "Encoder": "obs-output module (libobs version 31.0.0)"
                 *             }
                 *           },
                 *           "Warning": null,
                 *           "Failure": null,
                 *           "Recording": null
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "live.disconnected";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onLiveReconnected: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The name of the event. */
                event: "live.reconnected";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "live.reconnected",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "Live": {
                 *           "ProjectId": 3,
                 *           "PlayoutId": "0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *           "Title": "Spring show",
                 *           "State": "online",
                 *           "IsOnline": true,
                 *           "HLS": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.m3u8",
                 *           "LLHLS": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/ll.m3u8",
                 *           "DASH": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.mpd",
                 *           "PlayerURL": "https://video.example.com/embed/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *           "Broadcast": {
                 *             "Id": 7,
                 *             "ConnectedAt": "2026-03-01T12:00:00.000+00:00",
                 *             "OnlineSince": "2026-03-01T12:00:01.400+00:00",
                 *             "DisconnectedAt": null,
                 *             "EndedAt": null,
                 *             "EndReason": null,
                 *             "Publisher": {
                 *               "Address": "192.0.2.7",
                 *               "Encoder": "obs-output module (libobs version 31.0.0)"
                 *             }
                 *           },
                 *           "Warning": null,
                 *           "Failure": null,
                 *           "Recording": null
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "live.reconnected";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onLiveEnded: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The name of the event. */
                event: "live.ended";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "live.ended",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "Live": {
                 *           "ProjectId": 3,
                 *           "PlayoutId": "0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *           "Title": "Spring show",
                 *           "State": "offline",
                 *           "IsOnline": false,
                 *           "HLS": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.m3u8",
                 *           "LLHLS": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/ll.m3u8",
                 *           "DASH": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.mpd",
                 *           "PlayerURL": "https://video.example.com/embed/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *           "Broadcast": {
                 *             "Id": 7,
                 *             "ConnectedAt": "2026-03-01T12:00:00.000+00:00",
                 *             "OnlineSince": "2026-03-01T12:00:01.400+00:00",
                 *             "DisconnectedAt": "2026-03-01T13:00:02.000+00:00",
                 *             "EndedAt": "2026-03-01T13:00:02.000+00:00",
                 *             "EndReason": "unpublished",
                 *             "Publisher": {
                 *               "Address": "192.0.2.7",
                 *               "Encoder": "obs-output module (libobs version 31.0.0)"
                 *             }
                 *           },
                 *           "Warning": null,
                 *           "Failure": null,
                 *           "Recording": null
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "live.ended";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onLiveFailed: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The name of the event. */
                event: "live.failed";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "live.failed",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "Live": {
                 *           "ProjectId": 3,
                 *           "PlayoutId": "0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *           "Title": "Spring show",
                 *           "State": "offline",
                 *           "IsOnline": false,
                 *           "HLS": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.m3u8",
                 *           "LLHLS": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/ll.m3u8",
                 *           "DASH": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.mpd",
                 *           "PlayerURL": "https://video.example.com/embed/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *           "Broadcast": null,
                 *           "Warning": null,
                 *           "Failure": {
                 *             "Code": "no_media",
                 *             "Message": "The encoder sent no video and no audio for 10 s."
                 *           },
                 *           "Recording": null
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "live.failed";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onLivePublisher_refused: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The name of the event. */
                event: "live.publisher_refused";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "live.publisher_refused",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "Live": {
                 *           "ProjectId": 3,
                 *           "PlayoutId": "0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *           "Title": "Spring show",
                 *           "State": "online",
                 *           "IsOnline": true,
                 *           "HLS": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.m3u8",
                 *           "LLHLS": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/ll.m3u8",
                 *           "DASH": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.mpd",
                 *           "PlayerURL": "https://video.example.com/embed/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *           "Broadcast": {
                 *             "Id": 7,
                 *             "ConnectedAt": "2026-03-01T12:00:00.000+00:00",
                 *             "OnlineSince": "2026-03-01T12:00:01.400+00:00",
                 *             "DisconnectedAt": null,
                 *             "EndedAt": null,
                 *             "EndReason": null,
                 *             "Publisher": {
                 *               "Address": "192.0.2.7",
                 *               "Encoder": "obs-output module (libobs version 31.0.0)"
                 *             }
                 *           },
                 *           "Warning": null,
                 *           "Failure": {
                 *             "Code": "second_publisher",
                 *             "Message": "A publisher from 203.0.113.9 was refused: Somebody publishes to this live stream already."
                 *           },
                 *           "Recording": null
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "live.publisher_refused";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRecordingStarted: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The name of the event. */
                event: "recording.started";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "recording.started",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "Live": {
                 *           "ProjectId": 3,
                 *           "PlayoutId": "0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *           "Title": "Spring show",
                 *           "State": "online",
                 *           "IsOnline": true,
                 *           "HLS": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.m3u8",
                 *           "LLHLS": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/ll.m3u8",
                 *           "DASH": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.mpd",
                 *           "PlayerURL": "https://video.example.com/embed/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *           "Broadcast": {
                 *             "Id": 7,
                 *             "ConnectedAt": "2026-03-01T12:00:00.000+00:00",
                 *             "OnlineSince": "2026-03-01T12:00:01.400+00:00",
                 *             "DisconnectedAt": null,
                 *             "EndedAt": null,
                 *             "EndReason": null,
                 *             "Publisher": {
                 *               "Address": "192.0.2.7",
                 *               "Encoder": "obs-output module (libobs version 31.0.0)"
                 *             }
                 *           },
                 *           "Warning": null,
                 *           "Failure": null,
                 *           "Recording": {
                 *             "Id": 5,
                 *             "Kind": "recording",
                 *             "BroadcastId": 7,
                 *             "Title": "Spring show",
                 *             "State": "recording",
                 *             "Message": null,
                 *             "FileId": null,
                 *             "StartedAt": "2026-03-01T12:00:01.400+00:00",
                 *             "EndedAt": null
                 *           }
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "recording.started";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRecordingFinished: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The name of the event. */
                event: "recording.finished";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "recording.finished",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "Live": {
                 *           "ProjectId": 3,
                 *           "PlayoutId": "0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *           "Title": "Spring show",
                 *           "State": "online",
                 *           "IsOnline": true,
                 *           "HLS": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.m3u8",
                 *           "LLHLS": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/ll.m3u8",
                 *           "DASH": "https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.mpd",
                 *           "PlayerURL": "https://video.example.com/embed/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10",
                 *           "Broadcast": {
                 *             "Id": 7,
                 *             "ConnectedAt": "2026-03-01T12:00:00.000+00:00",
                 *             "OnlineSince": "2026-03-01T12:00:01.400+00:00",
                 *             "DisconnectedAt": null,
                 *             "EndedAt": null,
                 *             "EndReason": null,
                 *             "Publisher": {
                 *               "Address": "192.0.2.7",
                 *               "Encoder": "obs-output module (libobs version 31.0.0)"
                 *             }
                 *           },
                 *           "Warning": null,
                 *           "Failure": null,
                 *           "Recording": {
                 *             "Id": 5,
                 *             "Kind": "recording",
                 *             "BroadcastId": 7,
                 *             "Title": "Spring show",
                 *             "State": "finished",
                 *             "Message": null,
                 *             "FileId": 31,
                 *             "StartedAt": "2026-03-01T12:00:01.400+00:00",
                 *             "EndedAt": "2026-03-01T13:00:02.000+00:00"
                 *           }
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "recording.finished";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPlaylistNew: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The name of the event. */
                event: "playlist.new";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "playlist.new",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "Playlist": {
                 *           "Id": 4,
                 *           "ExternalId": "show-12",
                 *           "Name": "Highlights of the week",
                 *           "Description": "",
                 *           "Type": "manual",
                 *           "ProjectId": 3,
                 *           "ReleaseStatus": "published",
                 *           "Rules": null,
                 *           "ElementCount": 1,
                 *           "TotalLength": 93.4,
                 *           "Playouts": [
                 *             {
                 *               "Id": "7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e",
                 *               "Label": "Default",
                 *               "IsDefault": true,
                 *               "HLS": "https://video.example.com/v/7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e/main.m3u8",
                 *               "DASH": null,
                 *               "MP4": null,
                 *               "EmbedURI": "https://video.example.com/embed/7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e"
                 *             }
                 *           ],
                 *           "FeedURIs": {
                 *             "JSON": "https://video.example.com/v/7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e/feed.json",
                 *             "MRSS": "https://video.example.com/v/7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e/feed.xml",
                 *             "HLS": "https://video.example.com/v/7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e/main.m3u8"
                 *           },
                 *           "IsEnabled": true,
                 *           "CreatedAt": "2026-03-01T12:00:00+00:00",
                 *           "LastUpdateAt": "2026-03-01T12:00:00+00:00",
                 *           "DeletedAt": null,
                 *           "PurgeAt": null
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "playlist.new";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPlaylistUpdated: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The name of the event. */
                event: "playlist.updated";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "playlist.updated",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "Playlist": {
                 *           "Id": 4,
                 *           "ExternalId": "show-12",
                 *           "Name": "Highlights of the week",
                 *           "Description": "",
                 *           "Type": "manual",
                 *           "ProjectId": 3,
                 *           "ReleaseStatus": "published",
                 *           "Rules": null,
                 *           "ElementCount": 1,
                 *           "TotalLength": 93.4,
                 *           "Playouts": [
                 *             {
                 *               "Id": "7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e",
                 *               "Label": "Default",
                 *               "IsDefault": true,
                 *               "HLS": "https://video.example.com/v/7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e/main.m3u8",
                 *               "DASH": null,
                 *               "MP4": null,
                 *               "EmbedURI": "https://video.example.com/embed/7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e"
                 *             }
                 *           ],
                 *           "FeedURIs": {
                 *             "JSON": "https://video.example.com/v/7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e/feed.json",
                 *             "MRSS": "https://video.example.com/v/7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e/feed.xml",
                 *             "HLS": "https://video.example.com/v/7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e/main.m3u8"
                 *           },
                 *           "IsEnabled": true,
                 *           "CreatedAt": "2026-03-01T12:00:00+00:00",
                 *           "LastUpdateAt": "2026-03-01T12:00:00+00:00",
                 *           "DeletedAt": null,
                 *           "PurgeAt": null
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "playlist.updated";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPlaylistDeleted: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The name of the event. */
                event: "playlist.deleted";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "playlist.deleted",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "Playlist": {
                 *           "Id": 4,
                 *           "ExternalId": "show-12",
                 *           "Name": "Highlights of the week",
                 *           "Description": "",
                 *           "Type": "manual",
                 *           "ProjectId": 3,
                 *           "ReleaseStatus": "published",
                 *           "Rules": null,
                 *           "ElementCount": 1,
                 *           "TotalLength": 93.4,
                 *           "Playouts": [
                 *             {
                 *               "Id": "7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e",
                 *               "Label": "Default",
                 *               "IsDefault": true,
                 *               "HLS": "https://video.example.com/v/7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e/main.m3u8",
                 *               "DASH": null,
                 *               "MP4": null,
                 *               "EmbedURI": "https://video.example.com/embed/7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e"
                 *             }
                 *           ],
                 *           "FeedURIs": {
                 *             "JSON": "https://video.example.com/v/7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e/feed.json",
                 *             "MRSS": "https://video.example.com/v/7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e/feed.xml",
                 *             "HLS": "https://video.example.com/v/7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e/main.m3u8"
                 *           },
                 *           "IsEnabled": false,
                 *           "CreatedAt": "2026-03-01T12:00:00+00:00",
                 *           "LastUpdateAt": "2026-03-01T12:00:00+00:00",
                 *           "DeletedAt": "2026-03-01T12:00:00.000+00:00",
                 *           "PurgeAt": "2026-03-08T12:00:00.000+00:00"
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "playlist.deleted";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPlaylistRestored: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The name of the event. */
                event: "playlist.restored";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "playlist.restored",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "Playlist": {
                 *           "Id": 4,
                 *           "ExternalId": "show-12",
                 *           "Name": "Highlights of the week",
                 *           "Description": "",
                 *           "Type": "manual",
                 *           "ProjectId": 3,
                 *           "ReleaseStatus": "published",
                 *           "Rules": null,
                 *           "ElementCount": 1,
                 *           "TotalLength": 93.4,
                 *           "Playouts": [
                 *             {
                 *               "Id": "7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e",
                 *               "Label": "Default",
                 *               "IsDefault": true,
                 *               "HLS": "https://video.example.com/v/7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e/main.m3u8",
                 *               "DASH": null,
                 *               "MP4": null,
                 *               "EmbedURI": "https://video.example.com/embed/7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e"
                 *             }
                 *           ],
                 *           "FeedURIs": {
                 *             "JSON": "https://video.example.com/v/7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e/feed.json",
                 *             "MRSS": "https://video.example.com/v/7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e/feed.xml",
                 *             "HLS": "https://video.example.com/v/7d1f0a52-6f0e-4f6e-9a55-0d2f6f0c1b7e/main.m3u8"
                 *           },
                 *           "IsEnabled": true,
                 *           "CreatedAt": "2026-03-01T12:00:00+00:00",
                 *           "LastUpdateAt": "2026-03-01T12:00:00+00:00",
                 *           "DeletedAt": null,
                 *           "PurgeAt": null
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "playlist.restored";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onProjectNew: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The name of the event. */
                event: "project.new";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "project.new",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "Project": {
                 *           "Id": 3,
                 *           "ExternalId": "campaign-2026",
                 *           "Name": "Spring campaign",
                 *           "Description": "Films for the shops",
                 *           "DefaultReleaseStatus": "unpublished",
                 *           "TokenSecurity": false,
                 *           "AllowedDomains": [
                 *             "www.example.com"
                 *           ],
                 *           "PlayerTheme": {
                 *             "Color": "#e0457b",
                 *             "Logo": null
                 *           },
                 *           "EncoderSettings": {
                 *             "UseEncoding": true,
                 *             "EncodingPriority": 50,
                 *             "Renditions": [],
                 *             "VideoCodecs": [
                 *               "h264"
                 *             ],
                 *             "NormalizeLoudness": false,
                 *             "KeepOriginal": true
                 *           },
                 *           "MetadataFields": [],
                 *           "IsLive": false,
                 *           "FileCount": 12,
                 *           "StorageBytes": 1204882113,
                 *           "StorageQuotaBytes": null,
                 *           "IsEnabled": true,
                 *           "IsRestoring": false,
                 *           "CreatedAt": "2026-03-01T11:40:00+00:00",
                 *           "LastUpdateAt": "2026-03-01T12:00:00+00:00",
                 *           "DeletedAt": null,
                 *           "PurgeAt": null
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "project.new";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onProjectUpdated: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The name of the event. */
                event: "project.updated";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "project.updated",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "Project": {
                 *           "Id": 3,
                 *           "ExternalId": "campaign-2026",
                 *           "Name": "Spring campaign",
                 *           "Description": "Films for the shops",
                 *           "DefaultReleaseStatus": "unpublished",
                 *           "TokenSecurity": false,
                 *           "AllowedDomains": [
                 *             "www.example.com"
                 *           ],
                 *           "PlayerTheme": {
                 *             "Color": "#e0457b",
                 *             "Logo": null
                 *           },
                 *           "EncoderSettings": {
                 *             "UseEncoding": true,
                 *             "EncodingPriority": 50,
                 *             "Renditions": [],
                 *             "VideoCodecs": [
                 *               "h264"
                 *             ],
                 *             "NormalizeLoudness": false,
                 *             "KeepOriginal": true
                 *           },
                 *           "MetadataFields": [],
                 *           "IsLive": false,
                 *           "FileCount": 12,
                 *           "StorageBytes": 1204882113,
                 *           "StorageQuotaBytes": null,
                 *           "IsEnabled": true,
                 *           "IsRestoring": false,
                 *           "CreatedAt": "2026-03-01T11:40:00+00:00",
                 *           "LastUpdateAt": "2026-03-01T12:00:00+00:00",
                 *           "DeletedAt": null,
                 *           "PurgeAt": null
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "project.updated";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onProjectDeleted: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The name of the event. */
                event: "project.deleted";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "project.deleted",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "Project": {
                 *           "Id": 3,
                 *           "ExternalId": "campaign-2026",
                 *           "Name": "Spring campaign",
                 *           "Description": "Films for the shops",
                 *           "DefaultReleaseStatus": "unpublished",
                 *           "TokenSecurity": false,
                 *           "AllowedDomains": [
                 *             "www.example.com"
                 *           ],
                 *           "PlayerTheme": {
                 *             "Color": "#e0457b",
                 *             "Logo": null
                 *           },
                 *           "EncoderSettings": {
                 *             "UseEncoding": true,
                 *             "EncodingPriority": 50,
                 *             "Renditions": [],
                 *             "VideoCodecs": [
                 *               "h264"
                 *             ],
                 *             "NormalizeLoudness": false,
                 *             "KeepOriginal": true
                 *           },
                 *           "MetadataFields": [],
                 *           "IsLive": false,
                 *           "FileCount": 12,
                 *           "StorageBytes": 1204882113,
                 *           "StorageQuotaBytes": null,
                 *           "IsEnabled": false,
                 *           "IsRestoring": false,
                 *           "CreatedAt": "2026-03-01T11:40:00+00:00",
                 *           "LastUpdateAt": "2026-03-01T12:00:00+00:00",
                 *           "DeletedAt": "2026-03-01T12:00:00.000+00:00",
                 *           "PurgeAt": "2026-03-08T12:00:00.000+00:00"
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "project.deleted";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onProjectRestored: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The name of the event. */
                event: "project.restored";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "project.restored",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "Project": {
                 *           "Id": 3,
                 *           "ExternalId": "campaign-2026",
                 *           "Name": "Spring campaign",
                 *           "Description": "Films for the shops",
                 *           "DefaultReleaseStatus": "unpublished",
                 *           "TokenSecurity": false,
                 *           "AllowedDomains": [
                 *             "www.example.com"
                 *           ],
                 *           "PlayerTheme": {
                 *             "Color": "#e0457b",
                 *             "Logo": null
                 *           },
                 *           "EncoderSettings": {
                 *             "UseEncoding": true,
                 *             "EncodingPriority": 50,
                 *             "Renditions": [],
                 *             "VideoCodecs": [
                 *               "h264"
                 *             ],
                 *             "NormalizeLoudness": false,
                 *             "KeepOriginal": true
                 *           },
                 *           "MetadataFields": [],
                 *           "IsLive": false,
                 *           "FileCount": 12,
                 *           "StorageBytes": 1204882113,
                 *           "StorageQuotaBytes": null,
                 *           "IsEnabled": true,
                 *           "IsRestoring": false,
                 *           "CreatedAt": "2026-03-01T11:40:00+00:00",
                 *           "LastUpdateAt": "2026-03-01T12:00:00+00:00",
                 *           "DeletedAt": null,
                 *           "PurgeAt": null
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "project.restored";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookPing: {
        parameters: {
            query: {
                /** @description As in the body; left out where there is none. */
                ProjectId?: number;
                /** @description The name of the event. */
                event: "webhook.ping";
            };
            header: {
                /** @description The same over all attempts: drop what you have seen. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body" with the secret of the webhook; several, with spaces between them, while a secret is rotated. Any Standard Webhooks library verifies it. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A JSON array of events; there is one in it unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "Event": "webhook.ping",
                 *         "EventId": 17,
                 *         "OccurredAt": "2026-03-01T12:00:00.000+00:00",
                 *         "Sequence": 4,
                 *         "ProjectId": 3,
                 *         "Webhook": {
                 *           "Id": 2,
                 *           "Label": "Newsroom",
                 *           "TargetURL": "https://example.com/webhooks",
                 *           "EventTypes": [
                 *             "file.new",
                 *             "live.*"
                 *           ],
                 *           "ProjectId": null,
                 *           "CustomHeaders": {
                 *             "X-Tenant": "newsroom"
                 *           },
                 *           "IsEnabled": true,
                 *           "DisabledReason": null,
                 *           "DisabledAt": null,
                 *           "SecretLastFour": "LaSw",
                 *           "PreviousSecretValidUntil": null,
                 *           "CreatedAt": "2026-03-01T12:00:00.000+00:00",
                 *           "LastUpdateAt": "2026-03-01T12:00:00.000+00:00"
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": (components["schemas"]["Event"] & {
                    /** @constant */
                    Event?: "webhook.ping";
                })[];
            };
        };
        responses: {
            /** @description Any 2xx within 15 s: received. What the body says is kept for you to read, no more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The webhook is not wanted any more: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Whatever else, redirects too: failed, and tried again after 5 s, 30 s, 2 min, 5 min, 30 min and so on for three days. `Retry-After` is honoured. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
