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
         * @description Newest first; only those that the key may see.
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
         * @description A project that still has files is deleted only with cascade=true, and takes them along.
         */
        delete: operations["deleteProject"];
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
         * @description Newest first. Page with limit and offset, or follow NextCursor.
         */
        get: operations["listFiles"];
        put?: never;
        /**
         * Upload a file
         * @description As JSON: creates the record and answers an upload URL, to which the bytes are PUT whole or in Content-Range chunks. As multipart/form-data (part `file`, optional JSON part `Metadata`) or as the raw body: takes the bytes at once.
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
         * @description Partial: absent fields stay as they are, null clears. A record that was read can be changed and sent back whole.
         */
        put: operations["updateFile"];
        post?: never;
        /**
         * Delete a file
         * @description Gone from every list and playout at once; its media is removed when the retention time is over.
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
         * @description Partial: absent fields stay as they are, null clears. A record that was read can be changed and sent back whole.
         */
        put: operations["updateFileMetadata"];
        post?: never;
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
    "/v3/apikeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description All keys of the account, revoked ones too; never the tokens themselves.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description A key of the calling user; it can never do more than the key that creates it. The token is shown only in this answer.
         */
        post: operations["createApiKey"];
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
        get?: never;
        put?: never;
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
         * @description Newest first. A key that is restricted to projects sees the webhooks of these projects.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description The answer holds the secret, which is not shown again.
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
         * @description Its settings, without the secret.
         */
        get: operations["getWebhook"];
        /**
         * Update a webhook
         * @description Partial: absent fields stay as they are, null clears. Disabling cancels what is not delivered yet.
         */
        put: operations["updateWebhook"];
        post?: never;
        /**
         * Delete a webhook
         * @description What is not delivered yet is cancelled.
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
         * @description Emits webhook.ping for this webhook alone, whatever it subscribes to.
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
         * @description Newest first, each with what its last attempt came to.
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
         * @description With all its attempts and the first 4 KiB of each answer.
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
}
export type webhooks = Record<string, never>;
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
                /** @description The HTTP status. */
                code: number;
                /** @description What is wrong and what would be right. */
                message: string;
                /** @description A stable slug for programs. */
                type: string;
                details?: {
                    field: string;
                    issue: string;
                }[];
                requestId?: string;
            };
        };
        /** @description A folder of media with settings of its own. */
        Project: {
            Id: number;
            /** @example Spring campaign */
            Name: string;
            Description: string;
            /** @description Viewers get media only when it is published. */
            DefaultReleaseStatus: "draft" | "unpublished" | "published";
            TokenSecurity: boolean;
            AllowedDomains: string[];
            /** @description Encoder settings; absent fields stay as they are, at first the defaults. */
            EncoderSettings: {
                /** @description False packages sources without transcoding where their codecs allow it. */
                UseEncoding?: boolean;
                /** @description Higher first. */
                EncodingPriority?: number;
                /** @description Overrides the default ladder; empty = default. */
                Renditions?: {
                    /** @description Short side in pixels; never upscaled. */
                    Height: number;
                    /** @description Peak, bits per second. */
                    VideoBitRate?: number;
                }[];
            };
            MetadataFields: {
                Name: string;
                Type: string;
            }[];
            IsLive: boolean;
            FileCount: number;
            StorageBytes: number;
            StorageQuotaBytes: number | null;
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
        /** @description A video or audio file; the same in answers and webhook payloads. */
        File: {
            Id: number;
            ProjectId: number;
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
            EncodingPriority: number;
            EncodingProgress: number;
            HasErrors: boolean;
            ErrorMessage: string | null;
            Metadata: {
                StandardFilePicture: {
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
                    IsStandard: boolean;
                    ManualUpload: boolean;
                } | null;
                Title: string;
                Description: string;
                DisplayTitle: string;
                DisplayTitleSecondLine: string;
                /** @description Viewers get media only when it is published. */
                ReleaseStatus: "draft" | "unpublished" | "published";
                Category: {
                    Id: number;
                    Label: string;
                    CustomId: string;
                }[];
                IABCategory: {
                    Id: number;
                    Label: string;
                    IABId: string;
                }[];
                Share: {
                    Id: number;
                    Label: string;
                }[];
                Videotype: {
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
                /** @description Bytes. */
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
                Id: number;
                /** @example 720p */
                Name: string;
                Type: "video" | "audio";
                IsComplete: boolean;
                /**
                 * @description RFC 6381.
                 * @example avc1.64001f
                 */
                Codec: string;
                Width: number | null;
                Height: number | null;
                FPS: number | null;
                /** @description Average, bits per second. */
                BitRate: number;
                /** @description Bits per second. */
                PeakBitRate: number;
                /** @description Bytes. */
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
            }[];
            Checksum: string | null;
            Source: {
                Kind: string;
                URI: string | null;
            };
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
        };
        CreatedFile: {
            Id: number;
            ProjectId: number;
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
            EncodingPriority: number;
            EncodingProgress: number;
            HasErrors: boolean;
            ErrorMessage: string | null;
            Metadata: {
                StandardFilePicture: {
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
                    IsStandard: boolean;
                    ManualUpload: boolean;
                } | null;
                Title: string;
                Description: string;
                DisplayTitle: string;
                DisplayTitleSecondLine: string;
                /** @description Viewers get media only when it is published. */
                ReleaseStatus: "draft" | "unpublished" | "published";
                Category: {
                    Id: number;
                    Label: string;
                    CustomId: string;
                }[];
                IABCategory: {
                    Id: number;
                    Label: string;
                    IABId: string;
                }[];
                Share: {
                    Id: number;
                    Label: string;
                }[];
                Videotype: {
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
                /** @description Bytes. */
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
                Id: number;
                /** @example 720p */
                Name: string;
                Type: "video" | "audio";
                IsComplete: boolean;
                /**
                 * @description RFC 6381.
                 * @example avc1.64001f
                 */
                Codec: string;
                Width: number | null;
                Height: number | null;
                FPS: number | null;
                /** @description Average, bits per second. */
                BitRate: number;
                /** @description Bits per second. */
                PeakBitRate: number;
                /** @description Bytes. */
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
            }[];
            Checksum: string | null;
            Source: {
                Kind: string;
                URI: string | null;
            };
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
            Upload?: {
                /**
                 * Format: uri
                 * @description PUT the bytes here, whole or in Content-Range chunks; needs no API key.
                 */
                URI: string;
                TusURI: string | null;
                /** Format: date-time */
                ExpiresAt: string;
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
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
                limit?: string;
                /**
                 * @description Records to skip. Default 0.
                 * @example 0
                 */
                offset?: string;
                /** @description `NextCursor` of the page before; costs the same at any depth. Not together with offset. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of projects. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Projects: components["schemas"]["Project"][];
                        TotalCount: number;
                        Limit: number;
                        Offset: number;
                        NextCursor: string | null;
                    };
                };
            };
            /** @description Malformed body, wrong type, bad query value, or well-formed but impossible. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token, or one that is malformed, expired, revoked or not ours. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The user of the token may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Starting, stopping, or a dependency is down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example Spring campaign */
                    Name: string;
                    Description?: string | null;
                    /** @description Viewers get media only when it is published. */
                    DefaultReleaseStatus?: "draft" | "unpublished" | "published";
                    /** @description Playout needs a signed token. */
                    TokenSecurity?: boolean;
                    AllowedDomains?: string[] | null;
                    EncoderSettings?: {
                        /** @description False packages sources without transcoding where their codecs allow it. */
                        UseEncoding?: boolean;
                        /** @description Higher first. */
                        EncodingPriority?: number;
                        /** @description Overrides the default ladder; empty = default. */
                        Renditions?: {
                            /** @description Short side in pixels; never upscaled. */
                            Height: number;
                            /** @description Peak, bits per second. */
                            VideoBitRate?: number;
                        }[];
                    } | null;
                    MetadataFields?: {
                        Name: string;
                        Type: "string" | "number" | "boolean";
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            /** @description Malformed body, wrong type, bad query value, or well-formed but impossible. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token, or one that is malformed, expired, revoked or not ours. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The user of the token may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Starting, stopping, or a dependency is down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getProject: {
        parameters: {
            query?: never;
            header?: never;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            /** @description Malformed body, wrong type, bad query value, or well-formed but impossible. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token, or one that is malformed, expired, revoked or not ours. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The user of the token may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown or deleted, or of another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Starting, stopping, or a dependency is down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example Spring campaign */
                    Name?: string;
                    Description?: string | null;
                    /** @description Viewers get media only when it is published. */
                    DefaultReleaseStatus?: "draft" | "unpublished" | "published";
                    /** @description Playout needs a signed token. */
                    TokenSecurity?: boolean;
                    AllowedDomains?: string[] | null;
                    EncoderSettings?: {
                        /** @description False packages sources without transcoding where their codecs allow it. */
                        UseEncoding?: boolean;
                        /** @description Higher first. */
                        EncodingPriority?: number;
                        /** @description Overrides the default ladder; empty = default. */
                        Renditions?: {
                            /** @description Short side in pixels; never upscaled. */
                            Height: number;
                            /** @description Peak, bits per second. */
                            VideoBitRate?: number;
                        }[];
                    } | null;
                    MetadataFields?: {
                        Name: string;
                        Type: "string" | "number" | "boolean";
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            /** @description Malformed body, wrong type, bad query value, or well-formed but impossible. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token, or one that is malformed, expired, revoked or not ours. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The user of the token may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown or deleted, or of another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description If-Match names an old version. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Starting, stopping, or a dependency is down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteProject: {
        parameters: {
            query?: {
                /** @description Delete the files too. */
                cascade?: boolean;
            };
            header?: never;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
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
            /** @description Malformed body, wrong type, bad query value, or well-formed but impossible. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token, or one that is malformed, expired, revoked or not ours. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The user of the token may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown or deleted, or of another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description In conflict with the present state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description If-Match names an old version. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Starting, stopping, or a dependency is down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listFiles: {
        parameters: {
            query?: {
                /**
                 * @description Records per page, 1–500; larger values are clamped and the effective one is echoed. Default 50.
                 * @example 50
                 */
                limit?: string;
                /**
                 * @description Records to skip. Default 0.
                 * @example 0
                 */
                offset?: string;
                /** @description `NextCursor` of the page before; costs the same at any depth. Not together with offset. */
                cursor?: string;
            };
            header?: never;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Files: components["schemas"]["File"][];
                        TotalCount: number;
                        Limit: number;
                        Offset: number;
                        NextCursor: string | null;
                    };
                };
            };
            /** @description Malformed body, wrong type, bad query value, or well-formed but impossible. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token, or one that is malformed, expired, revoked or not ours. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The user of the token may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown or deleted, or of another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Starting, stopping, or a dependency is down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createFile: {
        parameters: {
            query?: {
                /** @description Name of a raw body; Content-Disposition does as well. */
                fileName?: string;
            };
            header?: never;
            path: {
                projectId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example interview.mp4 */
                    FileName: string;
                    /** @description Only informative: what counts is what the bytes are. */
                    FileFormat?: string;
                    /** @description Bytes. */
                    FileSize?: number;
                    /** @description SHA-256 in hex, with or without "sha256:". */
                    Checksum?: string;
                    /** @description Metadata of a file; absent = unchanged, null = cleared. */
                    Metadata?: {
                        Title?: string | null;
                        Description?: string | null;
                        DisplayTitle?: string | null;
                        DisplayTitleSecondLine?: string | null;
                        ReleaseStatus?: ("draft" | "unpublished" | "published") | null;
                        Category?: (number | {
                            Id: number;
                        })[] | null;
                        IABCategory?: (number | {
                            Id: number;
                        })[] | null;
                        Share?: (number | {
                            Id: number;
                        })[] | null;
                        Videotype?: (number | {
                            Id: number;
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
                            adsDisabled?: boolean;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                    };
                    UseEncoding?: boolean;
                    EncodingPriority?: number;
                };
                "multipart/form-data": unknown;
                "application/octet-stream": unknown;
                "video/*": unknown;
                "audio/*": unknown;
            };
        };
        responses: {
            /** @description The file; `Location` is where the bytes go, or the record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedFile"];
                };
            };
            /** @description Malformed body, wrong type, bad query value, or well-formed but impossible. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token, or one that is malformed, expired, revoked or not ours. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The user of the token may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown or deleted, or of another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Starting, stopping, or a dependency is down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The storage is full. */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getFile: {
        parameters: {
            query?: never;
            header?: never;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                };
            };
            /** @description Malformed body, wrong type, bad query value, or well-formed but impossible. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token, or one that is malformed, expired, revoked or not ours. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The user of the token may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown or deleted, or of another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Starting, stopping, or a dependency is down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: number;
                fileId: number;
            };
            cookie?: never;
        };
        /** @description A partial update: absent = unchanged, null = back to the default. */
        requestBody: {
            content: {
                "application/json": {
                    UseEncoding?: boolean | null;
                    EncodingPriority?: number | null;
                    /** @description Metadata of a file; absent = unchanged, null = cleared. */
                    Metadata?: {
                        Title?: string | null;
                        Description?: string | null;
                        DisplayTitle?: string | null;
                        DisplayTitleSecondLine?: string | null;
                        ReleaseStatus?: ("draft" | "unpublished" | "published") | null;
                        Category?: (number | {
                            Id: number;
                        })[] | null;
                        IABCategory?: (number | {
                            Id: number;
                        })[] | null;
                        Share?: (number | {
                            Id: number;
                        })[] | null;
                        Videotype?: (number | {
                            Id: number;
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
                            adsDisabled?: boolean;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                };
            };
            /** @description Malformed body, wrong type, bad query value, or well-formed but impossible. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token, or one that is malformed, expired, revoked or not ours. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The user of the token may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown or deleted, or of another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description If-Match names an old version. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Starting, stopping, or a dependency is down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteFile: {
        parameters: {
            query?: never;
            header?: never;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
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
            /** @description Malformed body, wrong type, bad query value, or well-formed but impossible. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token, or one that is malformed, expired, revoked or not ours. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The user of the token may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown or deleted, or of another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description If-Match names an old version. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Starting, stopping, or a dependency is down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateFileMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: number;
                fileId: number;
            };
            cookie?: never;
        };
        /** @description Metadata of a file; absent = unchanged, null = cleared. */
        requestBody: {
            content: {
                "application/json": {
                    Title?: string | null;
                    Description?: string | null;
                    DisplayTitle?: string | null;
                    DisplayTitleSecondLine?: string | null;
                    ReleaseStatus?: ("draft" | "unpublished" | "published") | null;
                    Category?: (number | {
                        Id: number;
                    })[] | null;
                    IABCategory?: (number | {
                        Id: number;
                    })[] | null;
                    Share?: (number | {
                        Id: number;
                    })[] | null;
                    Videotype?: (number | {
                        Id: number;
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
                        adsDisabled?: boolean;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                };
            };
            /** @description Malformed body, wrong type, bad query value, or well-formed but impossible. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token, or one that is malformed, expired, revoked or not ours. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The user of the token may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown or deleted, or of another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description If-Match names an old version. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Starting, stopping, or a dependency is down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listPlayouts: {
        parameters: {
            query?: never;
            header?: never;
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
                                /** Format: date-time */
                                ExpiresAt: string;
                            };
                        }[];
                        TotalCount: number;
                    };
                };
            };
            /** @description Malformed body, wrong type, bad query value, or well-formed but impossible. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token, or one that is malformed, expired, revoked or not ours. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The user of the token may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown or deleted, or of another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Starting, stopping, or a dependency is down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ApiKeys: {
                            /** Format: uuid */
                            Id: string;
                            Label: string;
                            UserId: number;
                            Scopes: string[];
                            ProjectIds: number[] | null;
                            /** @description The last four characters of the token. */
                            LastFour: string;
                            /**
                             * Format: date-time
                             * @example 2026-03-01T12:00:00+00:00
                             */
                            CreatedAt: string;
                            ExpiresAt: string | null;
                            RevokedAt: string | null;
                            LastUsedAt: string | null;
                        }[];
                        TotalCount: number;
                    };
                };
            };
            /** @description Malformed body, wrong type, bad query value, or well-formed but impossible. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token, or one that is malformed, expired, revoked or not ours. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The user of the token may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Starting, stopping, or a dependency is down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    Label: string;
                    /** @description E.g. files:upload, files:*, *. Default: *. */
                    Scopes?: string[];
                    ProjectIds?: number[] | null;
                    ExpiresAt?: string | null;
                };
            };
        };
        responses: {
            /** @description The key with its token. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        Id: string;
                        Label: string;
                        UserId: number;
                        Scopes: string[];
                        ProjectIds: number[] | null;
                        /** @description The last four characters of the token. */
                        LastFour: string;
                        /**
                         * Format: date-time
                         * @example 2026-03-01T12:00:00+00:00
                         */
                        CreatedAt: string;
                        ExpiresAt: string | null;
                        RevokedAt: string | null;
                        LastUsedAt: string | null;
                        /** @description Shown only now. */
                        Token: string;
                    };
                };
            };
            /** @description Malformed body, wrong type, bad query value, or well-formed but impossible. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token, or one that is malformed, expired, revoked or not ours. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The user of the token may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Starting, stopping, or a dependency is down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                keyUuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was revoked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
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
            /** @description Malformed body, wrong type, bad query value, or well-formed but impossible. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token, or one that is malformed, expired, revoked or not ours. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The user of the token may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown or deleted, or of another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Starting, stopping, or a dependency is down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /**
                 * @description Records per page, 1–500; larger values are clamped and the effective one is echoed. Default 50.
                 * @example 50
                 */
                limit?: string;
                /**
                 * @description Records to skip. Default 0.
                 * @example 0
                 */
                offset?: string;
                /** @description `NextCursor` of the page before; costs the same at any depth. Not together with offset. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of webhooks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Webhooks: {
                            Id: number;
                            /** @example Newsroom */
                            Label: string;
                            /**
                             * @description https, on port 80, 443 or from 1024. Its query is kept; ProjectId, FileId and event are added.
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
                            /** @description Set when Zoetrope disabled it. */
                            DisabledReason: string | null;
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
                        }[];
                        TotalCount: number;
                        Limit: number;
                        Offset: number;
                        NextCursor: string | null;
                    };
                };
            };
            /** @description Malformed body, wrong type, bad query value, or well-formed but impossible. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token, or one that is malformed, expired, revoked or not ours. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The user of the token may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Starting, stopping, or a dependency is down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    Label?: string | null;
                    /** @description Only events of this project; null = all of the account. */
                    ProjectId?: number | null;
                    CustomHeaders?: {
                        [key: string]: string;
                    } | null;
                    IsEnabled?: boolean;
                    /**
                     * @description https, on port 80, 443 or from 1024. Its query is kept; ProjectId, FileId and event are added.
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Id: number;
                        /** @example Newsroom */
                        Label: string;
                        /**
                         * @description https, on port 80, 443 or from 1024. Its query is kept; ProjectId, FileId and event are added.
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
                        /** @description Set when Zoetrope disabled it. */
                        DisabledReason: string | null;
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
                };
            };
            /** @description Malformed body, wrong type, bad query value, or well-formed but impossible. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token, or one that is malformed, expired, revoked or not ours. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The user of the token may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Starting, stopping, or a dependency is down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Id: number;
                        /** @example Newsroom */
                        Label: string;
                        /**
                         * @description https, on port 80, 443 or from 1024. Its query is kept; ProjectId, FileId and event are added.
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
                        /** @description Set when Zoetrope disabled it. */
                        DisabledReason: string | null;
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
                };
            };
            /** @description Malformed body, wrong type, bad query value, or well-formed but impossible. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token, or one that is malformed, expired, revoked or not ours. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The user of the token may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown or deleted, or of another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Starting, stopping, or a dependency is down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    Label?: string | null;
                    /** @description Only events of this project; null = all of the account. */
                    ProjectId?: number | null;
                    CustomHeaders?: {
                        [key: string]: string;
                    } | null;
                    IsEnabled?: boolean;
                    /**
                     * @description https, on port 80, 443 or from 1024. Its query is kept; ProjectId, FileId and event are added.
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Id: number;
                        /** @example Newsroom */
                        Label: string;
                        /**
                         * @description https, on port 80, 443 or from 1024. Its query is kept; ProjectId, FileId and event are added.
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
                        /** @description Set when Zoetrope disabled it. */
                        DisabledReason: string | null;
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
                };
            };
            /** @description Malformed body, wrong type, bad query value, or well-formed but impossible. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token, or one that is malformed, expired, revoked or not ours. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The user of the token may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown or deleted, or of another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description If-Match names an old version. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Starting, stopping, or a dependency is down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Id: number;
                        /** @enum {boolean} */
                        IsEnabled: false;
                        /**
                         * Format: date-time
                         * @example 2026-03-01T12:00:00+00:00
                         */
                        DeletedAt: string;
                    };
                };
            };
            /** @description Malformed body, wrong type, bad query value, or well-formed but impossible. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token, or one that is malformed, expired, revoked or not ours. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The user of the token may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown or deleted, or of another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description If-Match names an old version. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Starting, stopping, or a dependency is down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description At least 16 characters, or `whsec_` and the base64 of at least 16 bytes. Default: a random one. */
                    Secret?: string;
                } | null;
            };
        };
        responses: {
            /** @description The webhook and its new secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Id: number;
                        /** @example Newsroom */
                        Label: string;
                        /**
                         * @description https, on port 80, 443 or from 1024. Its query is kept; ProjectId, FileId and event are added.
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
                        /** @description Set when Zoetrope disabled it. */
                        DisabledReason: string | null;
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
                };
            };
            /** @description Malformed body, wrong type, bad query value, or well-formed but impossible. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token, or one that is malformed, expired, revoked or not ours. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The user of the token may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown or deleted, or of another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description If-Match names an old version. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Starting, stopping, or a dependency is down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Id: number;
                        WebhookId: number;
                        EventId: number;
                        /** @example file.new */
                        Event: string;
                        ProjectId: number | null;
                        FileId: number | null;
                        /** @description pending: about to be sent; waiting: for its next attempt, or for an earlier delivery of the same file; cancelled: the webhook was disabled or deleted. */
                        Status: "pending" | "waiting" | "delivered" | "failed" | "cancelled";
                        AttemptCount: number;
                        NextAttemptAt: string | null;
                        LastStatusCode: number | null;
                        LastError: string | null;
                        /** Format: date-time */
                        CreatedAt: string;
                        FinishedAt: string | null;
                    };
                };
            };
            /** @description Malformed body, wrong type, bad query value, or well-formed but impossible. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token, or one that is malformed, expired, revoked or not ours. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The user of the token may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown or deleted, or of another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description In conflict with the present state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Starting, stopping, or a dependency is down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description Records per page, 1–500; larger values are clamped and the effective one is echoed. Default 50.
                 * @example 50
                 */
                limit?: string;
                /**
                 * @description Records to skip. Default 0.
                 * @example 0
                 */
                offset?: string;
                /** @description `NextCursor` of the page before; costs the same at any depth. Not together with offset. */
                cursor?: string;
            };
            header?: never;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Deliveries: {
                            Id: number;
                            WebhookId: number;
                            EventId: number;
                            /** @example file.new */
                            Event: string;
                            ProjectId: number | null;
                            FileId: number | null;
                            /** @description pending: about to be sent; waiting: for its next attempt, or for an earlier delivery of the same file; cancelled: the webhook was disabled or deleted. */
                            Status: "pending" | "waiting" | "delivered" | "failed" | "cancelled";
                            AttemptCount: number;
                            NextAttemptAt: string | null;
                            LastStatusCode: number | null;
                            LastError: string | null;
                            /** Format: date-time */
                            CreatedAt: string;
                            FinishedAt: string | null;
                        }[];
                        TotalCount: number;
                        Limit: number;
                        Offset: number;
                        NextCursor: string | null;
                    };
                };
            };
            /** @description Malformed body, wrong type, bad query value, or well-formed but impossible. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token, or one that is malformed, expired, revoked or not ours. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The user of the token may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown or deleted, or of another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Starting, stopping, or a dependency is down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Id: number;
                        WebhookId: number;
                        EventId: number;
                        /** @example file.new */
                        Event: string;
                        ProjectId: number | null;
                        FileId: number | null;
                        /** @description pending: about to be sent; waiting: for its next attempt, or for an earlier delivery of the same file; cancelled: the webhook was disabled or deleted. */
                        Status: "pending" | "waiting" | "delivered" | "failed" | "cancelled";
                        AttemptCount: number;
                        NextAttemptAt: string | null;
                        LastStatusCode: number | null;
                        LastError: string | null;
                        /** Format: date-time */
                        CreatedAt: string;
                        FinishedAt: string | null;
                        Attempts: {
                            Number: number;
                            /** Format: date-time */
                            StartedAt: string;
                            DurationMs: number;
                            StatusCode: number | null;
                            /** @description The first 4 KiB of the answer. */
                            ResponseExcerpt: string | null;
                            Error: string | null;
                        }[];
                    };
                };
            };
            /** @description Malformed body, wrong type, bad query value, or well-formed but impossible. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token, or one that is malformed, expired, revoked or not ours. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The user of the token may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown or deleted, or of another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Starting, stopping, or a dependency is down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    redeliver: {
        parameters: {
            query?: never;
            header?: never;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        Id: number;
                        WebhookId: number;
                        EventId: number;
                        /** @example file.new */
                        Event: string;
                        ProjectId: number | null;
                        FileId: number | null;
                        /** @description pending: about to be sent; waiting: for its next attempt, or for an earlier delivery of the same file; cancelled: the webhook was disabled or deleted. */
                        Status: "pending" | "waiting" | "delivered" | "failed" | "cancelled";
                        AttemptCount: number;
                        NextAttemptAt: string | null;
                        LastStatusCode: number | null;
                        LastError: string | null;
                        /** Format: date-time */
                        CreatedAt: string;
                        FinishedAt: string | null;
                    };
                };
            };
            /** @description Malformed body, wrong type, bad query value, or well-formed but impossible. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No token, or one that is malformed, expired, revoked or not ours. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The user of the token may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown or deleted, or of another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description In conflict with the present state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Starting, stopping, or a dependency is down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
